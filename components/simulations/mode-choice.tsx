'use client';

import { useAgent } from '#components/agents/use-agent.ts';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import { SIMULATION_MODES, type SimulationMode } from '#lib/features/simulations/rules.ts';

type ModeChoiceProps = {
  agentId: string;
  mode: SimulationMode;
  onChoose: (mode: SimulationMode) => void;
};

const LABELS: Record<SimulationMode, string> = {
  text: 'Text, as fast as possible',
  audio: 'Audio, spoken and heard',
};

/** Whether the conversations are of words alone, or spoken. */
export function ModeChoice({ agentId, mode, onChoose }: ModeChoiceProps) {
  const { hasTranscription } = useAgent(agentId);
  return (
    <Field label="Conversations" description={describe(mode, hasTranscription)}>
      <Select
        options={SIMULATION_MODES.map((value) => ({ value, label: LABELS[value] }))}
        value={mode}
        onValueChange={(value) => onChoose(value === 'audio' ? 'audio' : 'text')}
      />
    </Field>
  );
}

function describe(mode: SimulationMode, hasTranscription: boolean): string {
  if (mode === 'text') return 'Nothing is spoken. What is said takes the call’s time, not yours.';
  return hasTranscription
    ? 'Both sides really speak. The agent hears the person as on a call: by voice activity and transcription.'
    : 'Both sides really speak, and pauses and interruptions are found in the sound. Nothing here transcribes: the agent gets the person’s words as they are written, as if it had heard them perfectly.';
}
