/** One conversation of the demo: who is called or calls, and when it shall have been. */
export type DemoCall = {
  direction: 'OUTBOUND' | 'INBOUND';
  agentNumber: string;
  humanNumber: string;
  promptId?: string;
  variables: Record<string, string>;
  daysAgo: number;
  /** Time of day in UTC, `14:05`. */
  time: string;
};

const FRONT_DESK = '+15550100001';
const FOLLOW_UP = '+15550100002';

const checkup = (
  humanNumber: string,
  name: string,
  months: string,
  daysAgo: number,
  time: string,
  question?: string,
): DemoCall => ({
  direction: 'OUTBOUND',
  agentNumber: FRONT_DESK,
  humanNumber,
  promptId: 'prompt_checkup',
  variables: { name, months, ...(question === undefined ? {} : { question }) },
  daysAgo,
  time,
});
const confirm = (
  humanNumber: string,
  name: string,
  day: string,
  hour: string,
  daysAgo: number,
  time: string,
): DemoCall => ({
  direction: 'OUTBOUND',
  agentNumber: FRONT_DESK,
  humanNumber,
  promptId: 'prompt_confirm',
  variables: { name, day, time: hour },
  daysAgo,
  time,
});
const aftercare = (
  humanNumber: string,
  name: string,
  treatment: string,
  days: string,
  daysAgo: number,
  time: string,
): DemoCall => ({
  direction: 'OUTBOUND',
  agentNumber: FOLLOW_UP,
  humanNumber,
  promptId: 'prompt_aftercare',
  variables: { name, treatment, days },
  daysAgo,
  time,
});
const inbound = (
  agentNumber: string,
  humanNumber: string,
  question: string,
  daysAgo: number,
  time: string,
): DemoCall => ({
  direction: 'INBOUND',
  agentNumber,
  humanNumber,
  variables: question === '' ? {} : { question },
  daysAgo,
  time,
});

/**
 * Three weeks of a small practice. The last two digits of the person's number decide what they do. Calls in which a
 * day is agreed on are recent ones: they are held today, and the day that is spoken counts from today.
 */
export const DEMO_CALLS: readonly DemoCall[] = [
  checkup('+15550142001', 'Avery', '14', 1, '15:12'),
  checkup('+15550142002', 'Robin', '12', 1, '16:40'),
  checkup('+15550142003', 'Casey', '19', 2, '17:05'),
  checkup('+15550142005', 'Jordan', '13', 2, '17:11'),
  checkup('+15550142007', 'Morgan', '15', 2, '17:16'),
  checkup('+15550142101', 'Quinn', '16', 2, '14:33'),
  checkup('+15550142113', 'Riley', '12', 5, '18:20', 'Where can I park when I come to you?'),
  checkup('+15550142213', 'Marlow', '26', 7, '16:48', 'How long does a check-up take?'),
  checkup('+15550142106', 'Skyler', '22', 6, '15:54'),
  checkup('+15550142111', 'Taylor', '13', 8, '19:02'),
  checkup('+15550142201', 'Drew', '18', 3, '15:27'),
  checkup('+15550142108', 'Harper', '14', 12, '16:15'),
  checkup('+15550142110', 'Emerson', '12', 15, '17:48'),
  confirm('+15550143000', 'Rowan', 'Thursday', '9 am', 3, '13:22'),
  confirm('+15550143004', 'Sage', 'Friday', '11 am', 4, '13:30'),
  confirm('+15550143102', 'Phoenix', 'Monday', '2 pm', 9, '14:02'),
  confirm('+15550143100', 'Finley', 'Tuesday', '4 pm', 16, '14:10'),
  confirm('+15550143005', 'Reese', 'Wednesday', '8 am', 19, '20:05'),
  aftercare('+15550144000', 'Blake', 'small filling', '1', 1, '15:20'),
  aftercare('+15550144012', 'Hayden', 'crown', '3', 4, '15:44'),
  aftercare('+15550144104', 'Parker', 'root canal', '2', 10, '16:31'),
  aftercare('+15550144100', 'Remy', 'whitening', '5', 18, '17:26'),
  inbound(FRONT_DESK, '+15550145013', 'What are your opening hours?', 0, '00:20'),
  inbound(FRONT_DESK, '+15550145113', 'Do you accept PPO insurance?', 3, '18:41'),
  inbound(FRONT_DESK, '+15550145001', '', 1, '19:15'),
  inbound(FRONT_DESK, '+15550145313', 'Do you treat cats?', 6, '21:03'),
  inbound(FRONT_DESK, '+15550145413', 'Can I pay in instalments?', 13, '13:37'),
  inbound(FRONT_DESK, '+15550145102', '', 8, '17:22'),
  inbound(FRONT_DESK, '+15550145004', '', 11, '14:50'),
  inbound(FOLLOW_UP, '+15550145213', 'How long should I wait before I eat after a filling?', 17, '16:05'),
];
