/**
 * Tries an agent with all of its scenarios and ends with 0 only where nothing failed: a step of a build pipeline.
 *
 *   CALLWRIGHT_URL=https://callwright.example.com CALLWRIGHT_API_KEY=cw_… AGENT_ID=agent_… node run.mjs
 *
 * Sentences that nobody judged (no language model) are told and do not fail the build; `STRICT=1` lets them.
 */
import { pathToFileURL } from 'node:url';

const POLL_MS = 500;
const MOST_MS = 10 * 60_000;

/** Runs the scenarios and gives the simulation when it is over. Throws what the service answers, and after ten minutes. */
export async function simulate({ url, apiKey, agentId, scenarios, pollMs = POLL_MS }) {
  const path = `${url.replace(/\/$/, '')}/api/agents/${encodeURIComponent(agentId)}/simulations`;
  const ask = async (address, init = {}) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const response = await fetch(address, { ...init, headers });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${response.status} ${answer.error.code}: ${answer.error.message}`);
    return answer.data;
  };
  const begun = await ask(path, { method: 'POST', body: JSON.stringify(scenarios ? { scenarios } : {}) });
  const until = Date.now() + MOST_MS;
  for (;;) {
    const simulation = await ask(`${path}/${begun.id}?transcripts=true`);
    if (simulation.status !== 'running') return simulation;
    if (Date.now() > until) throw new Error(`The simulation ${begun.id} is not over after ten minutes`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** The lines that a person reads in the log of the build. */
export function report(simulation) {
  return simulation.results.flatMap((result) => {
    const worse = result.change === 'worse' ? ' (worse than the run before)' : '';
    const lines = [`${(result.outcome ?? 'open').padEnd(11)} ${result.scenarioName}${worse}`];
    if (result.reason) lines.push(`            ${result.reason}`);
    for (const { criterion, state, reason, quote } of result.verdicts) {
      if (state === 'passed') continue;
      lines.push(`  ${state.padEnd(10)} ${JSON.stringify(criterion)}: ${reason}`);
      if (quote) lines.push(`             ${quote.speaker}: ${quote.text}`);
    }
    if (result.outcome === 'failed')
      lines.push(...(result.turns ?? []).map(({ speaker, text }) => `    ${speaker}: ${text}`));
    return lines;
  });
}

/** Whether the build may go on. */
export function isGood({ status, counts }, { isStrict = false } = {}) {
  const bad = counts.failed + counts.notRun + (isStrict ? counts.notJudged : 0);
  return status === 'completed' && bad === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { CALLWRIGHT_URL: url, CALLWRIGHT_API_KEY: apiKey, AGENT_ID: agentId, STRICT } = process.env;
  if (!url || !apiKey || !agentId) {
    console.error('Set CALLWRIGHT_URL, CALLWRIGHT_API_KEY and AGENT_ID.');
    process.exit(2);
  }
  const simulation = await simulate({ url, apiKey, agentId });
  for (const line of report(simulation)) console.log(line);
  process.exit(isGood(simulation, { isStrict: STRICT === '1' }) ? 0 : 1);
}
