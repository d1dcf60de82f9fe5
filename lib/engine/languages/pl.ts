import type { Language } from './language.ts';

export const pl: Language = {
  filler: { first: 'Chwileczkę, proszę.', second: 'Jeszcze chwilę, proszę o cierpliwość.' },
  reprompt: {
    calm: 'Czy są Państwo jeszcze na linii?',
    warm: 'Halo, czy są Państwo jeszcze na linii?',
    professional: 'Przepraszam, czy są Państwo jeszcze na linii?',
  },
  closing: {
    silence: 'Niestety nic nie słyszę, dlatego kończę połączenie. Do usłyszenia.',
    max_duration: 'Przepraszam, czas tej rozmowy dobiegł końca. Dziękuję i do usłyszenia.',
    usage_limit: 'Przepraszam, muszę zakończyć naszą rozmowę. Dziękuję za poświęcony czas. Do usłyszenia.',
    shutdown: 'Przepraszam, muszę teraz zakończyć naszą rozmowę. Do usłyszenia.',
    failed: 'Przepraszam, mam problemy techniczne. Proszę zadzwonić później. Do usłyszenia.',
  },
  farewell: 'Dziękuję za poświęcony czas. Do usłyszenia.',
  handover: 'Chwileczkę, proszę. Łączę z konsultantem.',
  failedHandover: 'Przepraszam, mam problemy techniczne. Łączę z konsultantem.',
  transferFailed: 'Przepraszam, w tej chwili nikt nie może odebrać. Czy mogę przyjąć wiadomość?',
  consult: {
    caller: 'Dzień dobry, tu asystent firmy {business}. Ktoś chce z Państwem rozmawiać.',
    subject: 'Chodzi o to: {words}.',
    accept: 'Proszę powiedzieć tak albo nacisnąć 1, aby odebrać rozmowę.',
  },
  cannotAnswer: 'Przepraszam, w tej sprawie nie mogę pomóc. Czy mogę pomóc w czymś innym?',
  sayAgain: 'Przepraszam, coś mi umknęło. Czy mogę prosić o powtórzenie?',
  shallIGoOn: 'Czy mam mówić dalej?',
  voicemail: {
    introduction: {
      named: 'Dzień dobry, z tej strony {persona}, {business}.',
      unnamed: 'Dzień dobry, dzwonimy z firmy {business}.',
    },
    missed: 'Szkoda, że nie udało się nam porozmawiać.',
    callBack: 'Proszę oddzwonić pod ten numer o dowolnej porze. Dziękuję i do usłyszenia.',
  },
  keypad: {
    cannotUnderstand: 'Przepraszam, na tej linii nie rozumiem mowy.',
    leaveMessage: 'Aby zostawić wiadomość, proszę nacisnąć 1.',
    transfer: 'Aby połączyć się z moim zespołem, proszę nacisnąć 2.',
    afterTone: 'Proszę mówić po sygnale i nacisnąć krzyżyk po zakończeniu.',
    thanks: 'Dziękuję. Wiadomość została nagrana. Do widzenia.',
  },
  opening: {
    inbound: {
      named: 'Dzień dobry, {persona}, {business}. W czym mogę pomóc?',
      unnamed: 'Dzień dobry, tu {business}. W czym mogę pomóc?',
    },
    outbound: {
      named: 'Dzień dobry, z tej strony {persona}, {business}. Czy mogę zająć chwilę?',
      unnamed: 'Dzień dobry, dzwonię w imieniu firmy {business}. Czy mogę zająć chwilę?',
      namedTo:
        'Dzień dobry, czy rozmawiam z: {name}? Z tej strony {persona}, {business}. Czy mogę zająć chwilę?',
      unnamedTo:
        'Dzień dobry, czy rozmawiam z: {name}? Dzwonię w imieniu firmy {business}. Czy mogę zająć chwilę?',
    },
  },
  aiDisclosure:
    'Tak, jestem asystentem opartym na sztucznej inteligencji i mówię w imieniu firmy {business}.',
  recordingAnnouncement: 'Ta rozmowa jest nagrywana.',
  person: 'rozmówca',
  spelling: { at: 'małpa', dot: 'kropka', slash: 'ukośnik', dash: 'myślnik', underscore: 'podkreślnik' },
  between: { and: 'i', to: 'do' },
  backchannels: [
    'mhm',
    'mm',
    'hm',
    'yhm',
    'aha',
    'ah',
    'och',
    'tak',
    'tak tak',
    'no',
    'no tak',
    'ok',
    'okej',
    'dobrze',
    'dobra',
    'jasne',
    'rozumiem',
    'oczywiście',
    'zgadza się',
    'dokładnie',
    'halo',
    'dzień dobry',
  ],
};
