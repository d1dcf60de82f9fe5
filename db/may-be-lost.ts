import { sql } from 'drizzle-orm';

/**
 * A condition that always holds, and lets the transaction whose statement has it end before it is on the disk. Every other
 * transaction waits for that: what is answered for, a fence, the end of a call, settings, documents and keys outlive a loss
 * of power. This is for what is kept elsewhere as well, such as the words of a call in progress, which its journal has
 * (docs/decisions/0366).
 */
export const mayBeLost = sql`set_config('synchronous_commit', 'off', true) is not null`;
