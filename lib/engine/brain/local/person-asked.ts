const TITLED =
  /\b(?:dr|doctor|mr|mrs|ms|miss|prof|professor|nurse|sister|herr|frau|mme|señora?)\.?\s+(?<name>\p{L}[\p{L}'’-]+)/iu;
const NAMED =
  /\b(?:[Ii]s|[Ww]ill|[Dd]oes|[Ww]as|[Hh]as|[Ww]hen is|[Ww]hen does)\s+(?<name>\p{Lu}[\p{L}'’-]+)(?:\s+\p{Lu}[\p{L}'’-]+)?\s+(?=.*\b(?:in|there|here|work|working|available|free|around|on duty|back|today|tomorrow|see|come)\b)/u;
const NO_NAME =
  /^(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|today|tomorrow|parking|everybody|anybody|somebody|anyone|someone|english|german|christmas|easter)$/i;
const PRESENCE =
  /\b(?:is|will|does|was|has)\b.*\b(?:in|there|here|work|works|working|available|free|around|duty|back|today|tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b/i;

/**
 * The name of somebody else whom a question is about: "Is Dr. Lee in on Friday?" What the business does as a whole is no
 * answer to it. Undefined where nobody is named, or only the business by its owner.
 */
export function personAsked(asked: string, businessName: string): string | undefined {
  const titled = TITLED.exec(asked)?.groups?.['name'];
  const named = NAMED.exec(asked)?.groups?.['name'];
  const name = titled ?? (named !== undefined && !NO_NAME.test(named) ? named : undefined);
  return name !== undefined && !businessName.toLowerCase().includes(name.toLowerCase()) ? name : undefined;
}

/** Whether it asks when that person is there. */
export function asksForPresence(asked: string, businessName: string): boolean {
  return personAsked(asked, businessName) !== undefined && PRESENCE.test(asked);
}
