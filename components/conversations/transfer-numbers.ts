/** The numbers that agents transfer to, each once, with the names of those agents. */
export function transferNumbersOf(
  agents: readonly { name: string; inboundTransferNumber: string | null }[],
): { number: string; names: string[] }[] {
  const known = new Map<string, string[]>();
  for (const { name, inboundTransferNumber: number } of agents)
    if (number) known.set(number, [...(known.get(number) ?? []), name]);
  return [...known].map(([number, names]) => ({ number, names }));
}
