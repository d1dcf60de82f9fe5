'use client';

import { useState } from 'react';
import { useAgent } from './use-agent.ts';
import { InboundPromptForm } from './inbound-prompt-form.tsx';
import { InboundSinglePromptForm } from './inbound-single-prompt-form.tsx';

/** One of two editors: the prompt itself, or the template that it is rendered from while one is set. */
export function InboundPromptTab({ agentId }: { agentId: string }) {
  const { agent } = useAgent(agentId);
  const [isStarting, setIsStarting] = useState(false);
  if (agent.inboundSinglePrompt !== null || isStarting) {
    return (
      <InboundSinglePromptForm
        agent={agent}
        onStop={() => setIsStarting(false)}
        onSaved={() => setIsStarting(false)}
      />
    );
  }
  return <InboundPromptForm agent={agent} onUseTemplate={() => setIsStarting(true)} />;
}
