import type { Operation } from './operation.ts';

/**
 * Every operation of the service. The gate (unknown routes), the OpenAPI document and the contract tests read
 * this list; a new endpoint is added here and nowhere else besides its contract, service and route file.
 */
export const operations: readonly Operation[] = [];
