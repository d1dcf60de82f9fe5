import type { TurnCues } from './turn-cue.ts';

export const SLAVIC_CUES = {
  cs: {
    fillers: 'ehm ee hmm jako tedy prostě',
    unfinished:
      'a i nebo ale protože že jestli který která můj moje váš náš v ve do z ze od u pro bez mezi s k ke',
    perhapsUnfinished: 'když kde jak na po o se je jsou byl jsem já chci chtěl chtěla bych můžu velmi',
    asksFor: {
      email: 'e-mail,email,mail',
      number: 'číslo,číslic, kód,kolik,psč',
      name: 'jméno,příjmení,jmenuje,hláskuj,s kým mluvím',
      date: ' kdy,který den,jaký den,datum,v kolik,narozen',
      address: 'adres,ulic,kde bydlíte',
    },
    digits: 'nula jedna jeden dva dvě tři čtyři pět šest sedm osm devět deset sto tisíc',
    spelledAddress: { at: 'zavináč', dot: 'tečka' },
  },
  pl: {
    fillers: 'yyy eee hmm no znaczy więc',
    unfinished:
      'i a oraz albo lub ale bo ponieważ że jeśli jeżeli mój moja moje w we do z ze od przez dla bez między',
    perhapsUnfinished:
      'kiedy gdzie jak pan pani na po o u jest są był ja chcę chciałbym chciałabym mogę nie bardzo',
    asksFor: {
      email: 'e-mail,email,mail',
      number: 'numer,cyfr, kod, ile',
      name: 'imię,nazwisko,nazywa,przeliter,z kim rozmawiam',
      date: 'kiedy,jaki dzień,który dzień, data, datę,która godzina,godzinie,urodz',
      address: 'adres,ulica,ulicy,gdzie pan mieszka,gdzie pani mieszka',
    },
    digits: 'zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć sto tysiąc',
    spelledAddress: { at: 'małpa at', dot: 'kropka' },
  },
  ru: {
    fillers: 'э ээ эм хм ну значит короче',
    unfinished: 'и а или но потому что если который мой моя моё мои в до из от у для без между с со к ко',
    perhapsUnfinished: 'когда где как ваш на по о я мы хочу хотел хотела бы могу очень',
    asksFor: {
      email: 'e-mail,email,почт,имейл',
      number: 'номер,цифр, код,сколько,индекс',
      name: ' имя,фамили,зовут,по буквам,с кем я говорю',
      date: 'когда,какой день, дату, дата,во сколько,родил,рождени',
      address: 'адрес,улиц,где вы живёте,где вы живете',
    },
    digits: 'ноль один два три четыре пять шесть семь восемь девять десять сто тысяча',
    spelledAddress: { at: 'собака собачка', dot: 'точка' },
  },
} satisfies Record<string, TurnCues>;
