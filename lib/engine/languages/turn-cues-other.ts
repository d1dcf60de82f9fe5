import type { TurnCues } from './turn-cue.ts';

export const OTHER_CUES = {
  fi: {
    fillers: 'öö ööm hmm tota tuota niinku',
    unfinished: 'ja tai mutta koska että jos kuin minun mun sinun teidän meidän',
    perhapsUnfinished: 'kun missä miten on oli olen minä mä me haluaisin voisin hyvin noin',
    asksFor: {
      email: 'sähköposti,e-mail,email',
      number: 'numero,koodi,tunnus,kuinka monta,montako',
      name: ' nimi,nimenne,nimesi,tavaa,kuka soittaa',
      date: 'milloin,minä päivänä,päivämäär,mihin aikaan,syntym',
      address: 'osoite,osoitteenne,missä asut',
    },
    digits:
      'nolla yksi yks kaksi kaks kolme neljä viisi viis kuusi kuus seitsemän kahdeksan yhdeksän kymmenen sata tuhat',
    spelledAddress: { at: 'ät miukumauku at', dot: 'piste' },
  },
  tr: {
    fillers: 'ee eee ıı hmm şey yani hani',
    unfinished: 've veya ya ama fakat çünkü ki eğer için ile gibi benim senin sizin bizim bir',
    perhapsUnfinished: 'kadar bu şu o daha çok en ben biz',
    asksFor: {
      email: 'e-posta,eposta,mail',
      number: 'numara,rakam, kod, kaç',
      name: 'adınız,isminiz,isim,soyad,heceler,kiminle görüş',
      date: 'ne zaman,hangi gün,tarih,saat kaç,doğum',
      address: 'adres,sokak,nerede otur',
    },
    digits: 'sıfır bir iki üç dört beş altı yedi sekiz dokuz on yüz bin',
    spelledAddress: { at: 'et kuyruklu', dot: 'nokta' },
  },
  ja: {
    fillers: 'えっと えーと あの あのー えー うーん まあ んー',
    unfinished: 'けど けれど けれども ので を に の て たら なら',
    perhapsUnfinished: 'から が は で と も し や',
    asksFor: {
      email: 'メール',
      number: '番号,何番,何名,桁,コード,いくつ',
      name: '名前,氏名',
      date: 'いつ,何日,何時,日付,生年月日,何曜日',
      address: '住所,どちらにお住まい',
    },
    digits: 'ゼロ れい まる いち さん よん ろく なな はち きゅう 零 一 二 三 四 五 六 七 八 九',
    spelledAddress: { at: 'アットマーク アット', dot: 'ドット' },
    hasNoSpaces: true,
  },
  zh: {
    fillers: '嗯 呃 那个 这个 就是',
    unfinished: '和 或者 但是 因为 所以 如果 还有 以及 我想 把 跟 从',
    perhapsUnfinished: '的 在 是 我 要 给 到 然后',
    asksFor: {
      email: '邮箱,邮件,电子邮',
      number: '号码,电话,几位,多少,编号,验证码',
      name: '名字,姓名,贵姓,怎么称呼,哪位',
      date: '什么时候,哪一天,哪天,几号,几点,日期,生日',
      address: '地址,住在哪',
    },
    digits: '零 一 二 三 四 五 六 七 八 九 十 幺 两',
    spelledAddress: { at: '艾特 at', dot: '点' },
    hasNoSpaces: true,
  },
} satisfies Record<string, TurnCues>;
