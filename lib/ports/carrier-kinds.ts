/**
 * The one list of carriers; the types, the database's columns, the API's enums, the provision file and the environment
 * follow from it.
 */

/** Carriers that a phone number can belong to. */
export const NUMBER_CARRIERS = ['simulated', 'twilio', 'sip'] as const;
export type NumberCarrier = (typeof NUMBER_CARRIERS)[number];

/** All that can carry a call. A browser talks to an agent directly, so no number belongs to it. */
export const CARRIER_KINDS = [...NUMBER_CARRIERS, 'browser'] as const;
export type CarrierKind = (typeof CARRIER_KINDS)[number];
