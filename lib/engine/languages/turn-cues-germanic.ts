import type { TurnCues } from './turn-cue.ts';

const nb: TurnCues = {
  fillers: 'eh øh øhm hm altså liksom',
  unfinished: 'og eller men fordi at hvis en ei et min mitt mine din ditt deres vår',
  perhapsUnfinished:
    'når hvor hvordan som det den i på til fra med av ved hos er har jeg vi vil ville kan veldig',
  asksFor: {
    email: 'e-post,epost,mail',
    number: 'nummer,siffer,sifre,kode,hvor mange',
    name: 'navn,heter,stave,hvem snakker',
    date: ' når,hvilken dag,dato,klokka,klokken,født',
    address: 'adresse,hvilken gate,hvor bor',
  },
  digits: 'null en ei ett to tre fire fem seks sju syv åtte ni ti hundre tusen',
  spelledAddress: { at: 'krøllalfa at', dot: 'punktum' },
};

export const GERMANIC_CUES = {
  en: {
    fillers: 'um uh uhm erm er hmm hm so',
    unfinished:
      "and but or because the a an of my your our his their if than from into i'm i'd i'll it's we're either between until",
    perhapsUnfinished:
      'to at on for with about by as is are was were that which who when where i we you would could should can will have has had want need really very not',
    asksFor: {
      email: 'e-mail,email,mail address',
      number: 'number,digit,code, zip, pin,reference,how many',
      name: 'name,spell,who am i speaking,who is calling',
      date: ' when,what day,which day,what date,what time,birth, born',
      address: 'address,street,where do you live',
    },
    digits: 'zero oh one two three four five six seven eight nine ten double triple hundred thousand',
    spelledAddress: { at: 'at', dot: 'dot point' },
  },
  de: {
    fillers: 'äh ähm öh hm hmm also naja tja',
    unfinished:
      'und oder aber weil dass wenn ob denn sondern eine einen einem einer mein meine meinen meiner ihr ihre ihren zum zur vom im am bis zwischen',
    perhapsUnfinished:
      'der die das den dem ein zu mit für von bei an auf um aus nach über in ist sind war wäre hätte habe ich wir möchte würde kann nicht sehr als wie',
    asksFor: {
      email: 'e-mail,email,mailadresse',
      number: 'nummer,ziffer,code,postleitzahl,wie viele,iban',
      name: 'name,heißen,buchstabier,mit wem',
      date: ' wann,welchen tag,welcher tag,datum,uhrzeit,geboren,geburt',
      address: 'adresse,anschrift,straße,wo wohnen',
    },
    digits: 'null eins ein zwei zwo drei vier fünf sechs sieben acht neun zehn hundert tausend',
    spelledAddress: { at: 'at ät klammeraffe', dot: 'punkt dot' },
  },
  nl: {
    fillers: 'eh ehm uh uhm hm nou dus',
    unfinished: 'en of maar want omdat dat als de het een mijn jouw uw haar ons van tussen tot',
    perhapsUnfinished:
      'wanneer waar hoe naar voor met bij in op aan om uit over is was ben heb ik wij wil zou kan niet heel',
    asksFor: {
      email: 'e-mail,email,mailadres',
      number: 'nummer,cijfer,code,hoeveel',
      name: 'naam,heet, spel,met wie',
      date: 'wanneer,welke dag,datum,hoe laat,geboorte,geboren',
      address: 'adres,straat,waar woont',
    },
    digits: 'nul een één twee drie vier vijf zes zeven acht negen tien honderd duizend',
    spelledAddress: { at: 'apenstaartje at', dot: 'punt' },
  },
  sv: {
    fillers: 'eh öh öhm hm alltså liksom',
    unfinished: 'och eller men för att om en ett min mitt mina din ditt er ert vår',
    perhapsUnfinished:
      'när där hur som det den i på till från med av vid hos är var har jag vi vill skulle kan mycket mellan',
    asksFor: {
      email: 'e-post,mejl,mail',
      number: 'nummer,siffr, kod,hur många',
      name: 'namn,heter,bokstaver,vem talar',
      date: ' när,vilken dag,datum,vilken tid,hur dags,född',
      address: 'adress, gata,var bor',
    },
    digits: 'noll en ett två tre fyra fem sex sju åtta nio tio hundra tusen',
    spelledAddress: { at: 'snabel-a snabela at', dot: 'punkt' },
  },
  da: {
    fillers: 'øh øhm eh hm altså jamen',
    unfinished: 'og eller men for fordi at hvis en et min mit mine din dit jeres vores',
    perhapsUnfinished:
      'når hvor hvordan som det den i på til fra med af ved hos er har jeg vi vil ville kan meget mellem',
    asksFor: {
      email: 'e-mail,email,mail',
      number: 'nummer,ciffer,cifre,kode,hvor mange',
      name: 'navn,hedder,stave,hvem taler',
      date: 'hvornår,hvilken dag,dato,klokken,født',
      address: 'adresse,hvilken gade,hvilken vej,hvor bor',
    },
    digits: 'nul en et to tre fire fem seks syv otte ni ti hundrede tusind',
    spelledAddress: { at: 'snabel-a snabela at', dot: 'punktum' },
  },
  nb,
  nn: nb,
  no: nb,
} satisfies Record<string, TurnCues>;
