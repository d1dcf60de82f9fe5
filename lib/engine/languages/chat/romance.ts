import type { ChatWords } from './words.ts';

export const es: ChatWords = {
  opening: {
    named: 'Hola, soy {persona} de {business}. ¿En qué puedo ayudarle?',
    unnamed: 'Hola, le damos la bienvenida a {business}. ¿En qué puedo ayudarle?',
  },
  farewell: 'Gracias por su tiempo. Hasta luego.',
  failed: 'Lo siento, no he podido responder ahora mismo.',
  widget: {
    title: 'Chatee con nosotros',
    open: 'Abrir el chat',
    close: 'Cerrar el chat',
    message: 'Su mensaje',
    send: 'Enviar',
    retry: 'Intentar de nuevo',
    again: 'Nuevo chat',
    end: 'Terminar el chat',
    writing: 'Escribiendo…',
    you: 'Usted',
    agent: 'Asistente',
    ended: 'Este chat ha terminado.',
    offline: 'No tiene conexión. El mensaje se podrá enviar cuando vuelva a estar en línea.',
    busy: 'Ha ido un poco rápido. Inténtelo de nuevo en un momento.',
    unavailable: 'El chat no está disponible en este momento.',
    notice: 'Está chateando con un asistente de IA. Puede cometer errores.',
  },
};

export const fr: ChatWords = {
  opening: {
    named: 'Bonjour, ici {persona} de {business}. Comment puis-je vous aider ?',
    unnamed: 'Bonjour et bienvenue chez {business}. Comment puis-je vous aider ?',
  },
  farewell: 'Merci pour votre temps. Au revoir.',
  failed: 'Désolé, je n’ai pas pu répondre à l’instant.',
  widget: {
    title: 'Discutez avec nous',
    open: 'Ouvrir la discussion',
    close: 'Fermer la discussion',
    message: 'Votre message',
    send: 'Envoyer',
    retry: 'Réessayer',
    again: 'Nouvelle discussion',
    end: 'Terminer la discussion',
    writing: 'En train d’écrire…',
    you: 'Vous',
    agent: 'Assistant',
    ended: 'Cette discussion est terminée.',
    offline: 'Vous êtes hors ligne. Le message pourra être envoyé une fois la connexion rétablie.',
    busy: 'C’était un peu rapide. Veuillez réessayer dans un instant.',
    unavailable: 'La discussion n’est pas disponible pour le moment.',
    notice: 'Vous discutez avec un assistant IA. Il peut se tromper.',
  },
};

export const it: ChatWords = {
  opening: {
    named: 'Buongiorno, sono {persona} di {business}. Come posso aiutarla?',
    unnamed: 'Buongiorno e benvenuti da {business}. Come posso aiutarla?',
  },
  farewell: 'Grazie per il suo tempo. Arrivederci.',
  failed: 'Mi dispiace, in questo momento non sono riuscito a rispondere.',
  widget: {
    title: 'Scriva in chat',
    open: 'Apri la chat',
    close: 'Chiudi la chat',
    message: 'Il suo messaggio',
    send: 'Invia',
    retry: 'Riprova',
    again: 'Nuova chat',
    end: 'Termina la chat',
    writing: 'Sta scrivendo…',
    you: 'Lei',
    agent: 'Assistente',
    ended: 'Questa chat è terminata.',
    offline: 'Non è in linea. Il messaggio potrà essere inviato quando la connessione sarà ripristinata.',
    busy: 'È stato un po’ veloce. Riprovi tra un momento.',
    unavailable: 'La chat non è disponibile in questo momento.',
    notice: 'Sta chattando con un assistente IA. Può commettere errori.',
  },
};

export const pt: ChatWords = {
  opening: {
    named: 'Olá, aqui é {persona} da {business}. Como posso ajudar?',
    unnamed: 'Olá, bem-vindo à {business}. Como posso ajudar?',
  },
  farewell: 'Obrigado pelo seu tempo. Até logo.',
  failed: 'Desculpe, não consegui responder agora.',
  widget: {
    title: 'Converse conosco',
    open: 'Abrir o chat',
    close: 'Fechar o chat',
    message: 'Sua mensagem',
    send: 'Enviar',
    retry: 'Tentar novamente',
    again: 'Novo chat',
    end: 'Encerrar o chat',
    writing: 'Escrevendo…',
    you: 'Você',
    agent: 'Assistente',
    ended: 'Este chat foi encerrado.',
    offline: 'Você está sem conexão. A mensagem poderá ser enviada quando a conexão voltar.',
    busy: 'Foi um pouco rápido. Tente novamente em instantes.',
    unavailable: 'O chat não está disponível no momento.',
    notice: 'Você está conversando com um assistente de IA. Ele pode cometer erros.',
  },
};
