/** One element of TwiML: a verb, or what stands in it. */
export type Verb = {
  name: string;
  attributes: Record<string, string | undefined>;
  children: Verb[];
  text: string;
};

const TAG = /<(\/?)([A-Za-z]+)((?:\s+[A-Za-z]+="[^"]*")*)\s*(\/?)>|([^<]+)/g;

/** Reads the part of XML that TwiML is written in. Throws where it is not closed. */
export function readTwiml(text: string): Verb[] {
  const root: Verb = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  for (const [, end, name = '', attributes = '', isEmpty, words] of text
    .replace(/^<\?xml[^>]*\?>/, '')
    .matchAll(TAG)) {
    const parent = open.at(-1) ?? root;
    if (words !== undefined) parent.text += decode(words);
    else if (end) {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
    } else {
      const verb = { name, attributes: readAttributes(attributes), children: [], text: '' };
      parent.children.push(verb);
      if (!isEmpty) open.push(verb);
    }
  }
  const [response] = root.children;
  if (open.length !== 1 || response?.name !== 'Response') throw new Error(`no TwiML: ${text}`);
  return response.children;
}

function readAttributes(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/([A-Za-z]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decode(value)]),
  );
}

const decode = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
