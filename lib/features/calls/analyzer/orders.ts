import { normalized } from './acts.ts';

const ORDERS = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|rules?|prompts?|guidelines?|orders|everything (?:above|before)|what you were told)\b/,
  /\b(?:tag|label|mark|classify|flag|categori[sz]e|record|report|log|rate|summari[sz]e|analy[sz]e)\b.{0,30}\b(?:call|conversation|transcript|interaction)\b.{0,30}\b(?:as|with|to be)\b/,
  /\b(?:system|assistant|developer|analy[sz]er|classifier|model)\s*:/,
  /\b(?:note|message|attention|instructions?) (?:to|for) (?:the |whoever |any )?(?:\w+ )?(?:system|ai|analy[sz]er|model|classifier|assistant)\b/,
  /\b(?:set|make|apply|add|give|output|return|write|respond with|answer with|use)\b.{0,40}\b(?:sentiment|disposition|tags?|summary|json)\b/,
  /\b(?:sentiment|disposition)\s*(?:is|=|:|to)\s*["']?(?:positive|negative|neutral|completed|appointment_booked|transferred)\b/,
  /<\/?(?:system|transcript|instructions?|assistant)>|\[(?:system|inst)\]/,
];
/** Nobody says a name with an underscore on the phone. */
const MACHINE_NAME = /\b(?:[a-z]+_[a-z_]+)\b/;

/** Whether a sentence gives orders to whoever analyzes the call: nothing in it says what happened on the call. */
export function isOrder(sentence: string): boolean {
  const plain = normalized(sentence);
  return MACHINE_NAME.test(plain) || ORDERS.some((pattern) => pattern.test(plain));
}
