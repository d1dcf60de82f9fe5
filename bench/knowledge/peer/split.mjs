import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters';

/**
 * Splits a text as long as ours does.
 *
 * @param {string} text
 * @returns {Promise<string[]>}
 */
export function splitText(text) {
  return new RecursiveCharacterTextSplitter({ chunkSize: 2_200, chunkOverlap: 300 }).splitText(text);
}
