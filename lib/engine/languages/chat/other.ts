import type { ChatWords } from './words.ts';

export const pl: ChatWords = {
  opening: {
    named: 'Dzień dobry, tu {persona} z {business}. W czym mogę pomóc?',
    unnamed: 'Dzień dobry, witamy w {business}. W czym mogę pomóc?',
  },
  farewell: 'Dziękuję za poświęcony czas. Do widzenia.',
  failed: 'Przepraszam, w tej chwili nie udało się odpowiedzieć.',
  widget: {
    title: 'Napisz do nas',
    open: 'Otwórz czat',
    close: 'Zamknij czat',
    message: 'Twoja wiadomość',
    send: 'Wyślij',
    retry: 'Spróbuj ponownie',
    again: 'Nowy czat',
    end: 'Zakończ czat',
    writing: 'Pisze…',
    you: 'Ty',
    agent: 'Asystent',
    ended: 'Ten czat został zakończony.',
    offline: 'Brak połączenia. Wiadomość będzie można wysłać po ponownym połączeniu.',
    busy: 'To było trochę za szybko. Spróbuj ponownie za chwilę.',
    unavailable: 'Czat jest w tej chwili niedostępny.',
    notice: 'Rozmawiasz z asystentem AI. Może się mylić.',
  },
};

export const cs: ChatWords = {
  opening: {
    named: 'Dobrý den, tady {persona} z {business}. Jak vám mohu pomoci?',
    unnamed: 'Dobrý den, vítejte v {business}. Jak vám mohu pomoci?',
  },
  farewell: 'Děkuji za váš čas. Na shledanou.',
  failed: 'Omlouvám se, právě teď se nepodařilo odpovědět.',
  widget: {
    title: 'Napište nám',
    open: 'Otevřít chat',
    close: 'Zavřít chat',
    message: 'Vaše zpráva',
    send: 'Odeslat',
    retry: 'Zkusit znovu',
    again: 'Nový chat',
    end: 'Ukončit chat',
    writing: 'Píše…',
    you: 'Vy',
    agent: 'Asistent',
    ended: 'Tento chat byl ukončen.',
    offline: 'Jste offline. Zprávu bude možné odeslat po obnovení připojení.',
    busy: 'To bylo trochu rychlé. Zkuste to prosím za chvíli znovu.',
    unavailable: 'Chat momentálně není k dispozici.',
    notice: 'Píšete si s asistentem AI. Může se mýlit.',
  },
};

export const fi: ChatWords = {
  opening: {
    named: 'Hei, täällä {persona}, {business}. Miten voin auttaa?',
    unnamed: 'Hei ja tervetuloa, täällä {business}. Miten voin auttaa?',
  },
  farewell: 'Kiitos ajastanne. Näkemiin.',
  failed: 'Pahoittelut, en voinut vastata juuri nyt.',
  widget: {
    title: 'Keskustele kanssamme',
    open: 'Avaa keskustelu',
    close: 'Sulje keskustelu',
    message: 'Viestinne',
    send: 'Lähetä',
    retry: 'Yritä uudelleen',
    again: 'Uusi keskustelu',
    end: 'Lopeta keskustelu',
    writing: 'Kirjoittaa…',
    you: 'Te',
    agent: 'Avustaja',
    ended: 'Tämä keskustelu on päättynyt.',
    offline: 'Yhteys puuttuu. Viestin voi lähettää, kun yhteys palaa.',
    busy: 'Se oli hieman nopeaa. Yrittäkää hetken kuluttua uudelleen.',
    unavailable: 'Keskustelu ei ole juuri nyt käytettävissä.',
    notice: 'Keskustelette tekoälyavustajan kanssa. Se voi tehdä virheitä.',
  },
};

export const tr: ChatWords = {
  opening: {
    named: 'Merhaba, ben {business} adına {persona}. Size nasıl yardımcı olabilirim?',
    unnamed: 'Merhaba, {business} sohbetine hoş geldiniz. Size nasıl yardımcı olabilirim?',
  },
  farewell: 'Zaman ayırdığınız için teşekkür ederim. Hoşça kalın.',
  failed: 'Üzgünüm, şu anda yanıt veremedim.',
  widget: {
    title: 'Bizimle sohbet edin',
    open: 'Sohbeti aç',
    close: 'Sohbeti kapat',
    message: 'Mesajınız',
    send: 'Gönder',
    retry: 'Yeniden dene',
    again: 'Yeni sohbet',
    end: 'Sohbeti bitir',
    writing: 'Yazıyor…',
    you: 'Siz',
    agent: 'Asistan',
    ended: 'Bu sohbet sona erdi.',
    offline: 'Çevrimdışısınız. Yeniden bağlandığınızda mesaj gönderilebilir.',
    busy: 'Bu biraz hızlı oldu. Lütfen birazdan yeniden deneyin.',
    unavailable: 'Sohbet şu anda kullanılamıyor.',
    notice: 'Bir yapay zekâ asistanıyla sohbet ediyorsunuz. Hata yapabilir.',
  },
};
