import type { TurnCues } from './turn-cue.ts';

export const ROMANCE_CUES = {
  fr: {
    fillers: 'euh heu ben bah hum alors donc enfin',
    unfinished:
      "et ou mais car parce que si le les l' un une des du de d' mon ma mes votre vos notre son ses au aux jusqu'à comme",
    perhapsUnfinished:
      "la à en dans sur pour avec chez par sans est sont serait je j'ai il elle on nous vous voudrais veux peux très entre quand où",
    asksFor: {
      email: 'e-mail,email,mail,courriel,adresse électronique',
      number: 'numéro,chiffre, code,combien',
      name: " nom,appelez-vous,épel,qui est à l'appareil",
      date: ' quand,quel jour,quelle date,quelle heure,naissance',
      address: 'adresse,quelle rue,habitez',
    },
    digits: 'zéro un deux trois quatre cinq six sept huit neuf dix vingt trente cent mille',
    spelledAddress: { at: 'arobase arrobase at', dot: 'point' },
  },
  es: {
    fillers: 'eh em este pues mmm',
    unfinished: 'y e o u pero porque que si el los las un unas unos mi mis tu su sus nuestro de del al',
    perhapsUnfinished:
      'cuando donde como la lo una a en con por para sin sobre entre hasta desde es son era está yo me quiero quisiera puedo tengo muy más',
    asksFor: {
      email: 'correo,e-mail,email',
      number: 'número,dígito,código,cuántos,cuántas',
      name: 'nombre,apellido,llama usted,se llama,deletre,quién habla',
      date: 'cuándo,qué día,fecha,qué hora,nacimiento',
      address: 'dirección,domicilio, calle,dónde vive',
    },
    digits: 'cero uno una dos tres cuatro cinco seis siete ocho nueve diez cien mil',
    spelledAddress: { at: 'arroba', dot: 'punto' },
  },
  it: {
    fillers: 'ehm eh mah beh cioè dunque mmm',
    unfinished:
      "e ed o oppure ma perché che se il gli l' un uno mio mia miei suo sua nostro di del della dei al alla nel nella dal",
    perhapsUnfinished:
      'quando dove come lo la i le una a in con su per da tra fra fino è sono era ho io vorrei voglio posso molto più',
    asksFor: {
      email: 'e-mail,email,posta elettronica,mail',
      number: 'numero,cifr,codice,quanti,quante',
      name: 'nome,cognome,si chiama,con chi parlo,lettera per lettera',
      date: 'quando,che giorno,quale giorno, data,che ora,nascita',
      address: 'indirizzo,quale via,dove abita',
    },
    digits: 'zero uno due tre quattro cinque sei sette otto nove dieci cento mille',
    spelledAddress: { at: 'chiocciola', dot: 'punto' },
  },
  pt: {
    fillers: 'hum ahn eh tipo bem então',
    unfinished:
      'e ou mas porque que se o os as um uma meu minha meus seu sua nosso de do da dos das no na pra',
    perhapsUnfinished:
      'a quando onde como em com por para sem sobre entre até desde é são era está eu queria quero posso tenho muito mais',
    asksFor: {
      email: 'e-mail,email,correio eletrónico,correio eletrônico',
      number: 'número,dígito,código,quantos,quantas',
      name: 'nome, chama,soletr,com quem falo',
      date: 'quando,que dia,qual dia, data,que horas,nascimento',
      address: 'endereço,morada,qual rua,onde mora',
    },
    digits: 'zero um uma dois duas três quatro cinco seis meia sete oito nove dez cem mil',
    spelledAddress: { at: 'arroba', dot: 'ponto' },
  },
} satisfies Record<string, TurnCues>;
