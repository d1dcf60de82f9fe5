import type { Language } from './language.ts';

export const fr: Language = {
  filler: { first: 'Un instant, je vous prie.', second: 'Je suis toujours là, encore un petit instant.' },
  reprompt: {
    calm: 'Vous êtes toujours là ?',
    warm: 'Allô, vous êtes toujours là ?',
    professional: 'Excusez-moi, êtes-vous toujours en ligne ?',
  },
  closing: {
    silence: "Je ne vous entends pas, je vais donc mettre fin à l'appel. Au revoir.",
    max_duration: 'Je regrette, notre temps pour cet appel est écoulé. Merci et au revoir.',
    usage_limit: 'Je dois malheureusement mettre fin à notre appel. Merci de votre temps. Au revoir.',
    shutdown: 'Je dois malheureusement mettre fin à notre appel maintenant. Au revoir.',
    failed: 'Veuillez m’excuser, je rencontre un problème technique. Merci de rappeler plus tard. Au revoir.',
  },
  farewell: 'Merci de votre temps. Au revoir.',
  handover: 'Un instant, je vous prie. Je vous mets en relation avec un collègue.',
  failedHandover:
    'Veuillez m’excuser, je rencontre un problème technique. Je vous mets en relation avec un collègue.',
  transferFailed: "Je regrette, aucun collègue n'est disponible pour le moment. Puis-je prendre un message ?",
  consult: {
    caller: "Bonjour, ici l'assistant de {business}. Quelqu'un souhaite vous parler.",
    subject: "Voici de quoi il s'agit : {words}.",
    accept: "Dites oui ou appuyez sur 1 pour prendre l'appel.",
  },
  cannotAnswer:
    'Je ne peux malheureusement pas vous aider sur ce point. Puis-je faire autre chose pour vous ?',
  sayAgain: "Excusez-moi, j'ai perdu le fil. Pourriez-vous répéter, s'il vous plaît ?",
  shallIGoOn: 'Voulez-vous que je continue ?',
  voicemail: {
    introduction: {
      named: 'Bonjour, ici {persona} de {business}.',
      unnamed: 'Bonjour, ici {business}.',
    },
    missed: 'Je n’ai malheureusement pas réussi à vous joindre.',
    callBack: 'Vous pouvez nous rappeler à ce numéro à tout moment. Merci et au revoir.',
  },
  keypad: {
    cannotUnderstand: 'Malheureusement, je ne peux pas comprendre la parole sur cette ligne.',
    leaveMessage: 'Pour laisser un message, appuyez sur 1.',
    transfer: 'Pour être mis en relation avec mon équipe, appuyez sur 2.',
    afterTone:
      'Veuillez parler après le signal sonore, puis appuyez sur la touche dièse quand vous avez terminé.',
    thanks: 'Merci. Votre message a été enregistré. Au revoir.',
  },
  opening: {
    inbound: {
      named: 'Bonjour, ici {persona} de {business}. Comment puis-je vous aider ?',
      unnamed: "Bonjour et merci d'appeler {business}. Comment puis-je vous aider ?",
    },
    outbound: {
      named: 'Bonjour, ici {persona} de {business}. Avez-vous un moment ?',
      unnamed: "Bonjour, ici l'assistant de {business}. Avez-vous un moment ?",
      namedTo: 'Bonjour {name}, ici {persona} de {business}. Avez-vous un moment ?',
      unnamedTo: "Bonjour {name}, ici l'assistant de {business}. Avez-vous un moment ?",
    },
  },
  aiDisclosure: 'Oui, je suis un assistant IA et je parle au nom de {business}.',
  recordingAnnouncement: 'Cet appel est enregistré.',
  person: 'la personne',
  spelling: { at: 'arobase', dot: 'point', slash: 'barre oblique', dash: 'tiret', underscore: 'tiret bas' },
  between: { and: 'et', to: 'à' },
  backchannels: [
    'mhm',
    'mm',
    'hm',
    'hum',
    'ah',
    'ah bon',
    'ah oui',
    'oh',
    'oui',
    'ouais',
    "d'accord",
    'ok',
    'okay',
    'bien',
    'très bien',
    'bien sûr',
    'je vois',
    'je comprends',
    'voilà',
    'exactement',
    'tout à fait',
    'allô',
    'bonjour',
  ],
};
