'use client';

import { useEffect, useId, useRef, useSyncExternalStore } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Keyboard, Mic } from 'lucide-react';
import { useAgent } from '#components/agents/use-agent.ts';
import { VariablesFields } from '#components/calls/variables-fields.tsx';
import { DraftChoice, type Tried, triedOf } from '#components/versions/draft-choice.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { usePreview } from '#components/prompts/use-preview.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { takeLostFocus } from '#components/ui/lost-focus.ts';
import { Select } from '#components/ui/select.tsx';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { versionQueries } from '#lib/features/publishing/history/queries.ts';
import { canRecognize } from './recognition.ts';

export type TalkChoice = {
  /** Undefined: the inbound prompt, as if somebody had called. */
  promptId?: string;
  variables: Record<string, string>;
  /** Which version; undefined: the draft where there is one. */
  tried?: Tried;
  /** The language in which the browser recognises speech; undefined where it shall not. */
  recognizes?: string;
};

type TalkStartProps = {
  agentId: string;
  agentName: string;
  choice: TalkChoice;
  onChoose(choice: TalkChoice): void;
  isAgain: boolean;
  /** A talk has ended, or could not begin. */
  takesFocus: boolean;
  onStart(how: { hasMicrophone: boolean }): void;
};

const noSubscription = () => () => undefined;
const INBOUND = 'inbound';

/** What is chosen before a talk begins. */
export function TalkStart(props: TalkStartProps) {
  const { agentId, agentName, choice, onChoose, isAgain, takesFocus, onStart } = props;
  const { agent, hasTranscription } = useAgent(agentId);
  const start = useRef<HTMLButtonElement>(null);
  // A click before the page's scripts run would be lost.
  const isReady = useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  );
  useEffect(() => {
    if (takesFocus) takeLostFocus(start.current);
  }, [takesFocus]);
  return (
    <Card
      title={`Talk to ${agentName}`}
      description="As if you had called, from this browser. Talks from here are tests: they are not in the API's lists or the webhook, do not count for the monthly limit and are never refused for it."
    >
      <div className="flex flex-col gap-5">
        <DraftChoice
          agentId={agentId}
          chosen={choice.tried}
          onChoose={(tried) => onChoose({ variables: choice.variables, tried })}
        />
        <PromptChoice agentId={agentId} choice={choice} onChoose={onChoose} />
        {hasTranscription ? null : (
          <OwnRecognition
            language={agent.hasLanguage && agent.language ? agent.language : 'en-US'}
            choice={choice}
            onChoose={onChoose}
          />
        )}
        <div className="flex flex-wrap gap-2">
          <Button ref={start} variant="primary" size="lg" onClick={() => onStart({ hasMicrophone: true })}>
            <Mic aria-hidden="true" />
            {isAgain ? 'Talk again' : 'Start talking'}
          </Button>
          <Button size="lg" disabled={!isReady} onClick={() => onStart({ hasMicrophone: false })}>
            <Keyboard aria-hidden="true" />
            Type instead
          </Button>
        </div>
      </div>
    </Card>
  );
}

type ChoiceProps = { choice: TalkChoice; onChoose(choice: TalkChoice): void };

/** The outbound prompts of what is tried. */
function usePromptsOf(agentId: string, chosen: Tried | undefined): { id: string; title: string }[] {
  const { id: workspaceId } = useWorkspace();
  const kept = useAgent(agentId);
  const tried = triedOf(kept, chosen);
  const { list, edited } = promptQueries;
  const { data: prompts = [] } = useQuery((tried === 'draft' ? edited : list)(workspaceId, agentId));
  const shared = useQuery({
    ...versionQueries.detail(workspaceId, kept.split?.version.id ?? ''),
    enabled: tried === 'shared',
  });
  return tried === 'shared' ? (shared.data?.outboundPrompts ?? []) : prompts;
}

function PromptChoice({ agentId, choice, onChoose }: ChoiceProps & { agentId: string }) {
  const prompts = usePromptsOf(agentId, choice.tried);
  const { preview } = usePreview(agentId, {
    ...(choice.promptId
      ? { direction: 'OUTBOUND', promptId: choice.promptId }
      : { direction: 'INBOUND' as const }),
    draft: {},
    variables: choice.variables,
  });
  const wanted = (preview?.variables ?? []).map((variable) => ({
    name: variable.name,
    isNumber: variable.isNumber,
    isWrong: variable.state === 'not a number',
  }));
  return (
    <>
      {prompts.length > 0 ? (
        <Field label="Prompt" description="With an outbound prompt the agent opens as if it had called you.">
          <Select
            options={[
              { value: INBOUND, label: 'Inbound prompt' },
              ...prompts.map((prompt) => ({ value: prompt.id, label: prompt.title })),
            ]}
            value={choice.promptId ?? INBOUND}
            onValueChange={(value) => {
              const { promptId: _, ...rest } = choice;
              onChoose(value === INBOUND ? rest : { ...rest, promptId: value });
            }}
          />
        </Field>
      ) : null}
      {wanted.length > 0 ? (
        <VariablesFields
          wanted={wanted}
          values={choice.variables}
          onChange={(variables) => onChoose({ ...choice, variables })}
          error={undefined}
        />
      ) : null}
    </>
  );
}

/** Without a transcription server the service hears that somebody speaks, but no words: the browser may recognise them. */
function OwnRecognition({ language, choice, onChoose }: ChoiceProps & { language: string }) {
  const id = useId();
  // The server renders the page without a browser's abilities.
  const isPossible = useSyncExternalStore(noSubscription, canRecognize, () => false);
  const { recognizes, ...rest } = choice;
  return (
    <Notice title="This service understands no speech yet">
      <p>
        It speaks, and takes what you type. With <code>OPENAI_API_KEY</code>, or an{' '}
        <code>OPENAI_BASE_URL</code> whose server transcribes, it also understands what you say.
      </p>
      {isPossible ? (
        <span className="mt-2 flex items-start gap-2">
          <Checkbox
            id={id}
            checked={recognizes !== undefined}
            onCheckedChange={(isOn) => onChoose(isOn === true ? { ...rest, recognizes: language } : rest)}
          />
          <label htmlFor={id} className="text-ink">
            Let this browser recognise what I say. Some browsers send the sound to their maker for that.
          </label>
        </span>
      ) : null}
    </Notice>
  );
}
