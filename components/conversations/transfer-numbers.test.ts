import { expect, it } from 'vitest';
import { transferNumbersOf } from './transfer-numbers.ts';

it('offers each number that agents transfer to once, with the names of the agents', () => {
  expect(
    transferNumbersOf([
      { name: 'Front desk', inboundTransferNumber: '+15550100900' },
      { name: 'Porter', inboundTransferNumber: null },
      { name: 'Follow-up', inboundTransferNumber: '+15550100900' },
      { name: 'Night', inboundTransferNumber: '+15550100901' },
    ]),
  ).toEqual([
    { number: '+15550100900', names: ['Front desk', 'Follow-up'] },
    { number: '+15550100901', names: ['Night'] },
  ]);
});
