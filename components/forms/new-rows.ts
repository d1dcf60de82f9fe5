import { type FieldValues, get, type Resolver, set } from 'react-hook-form';

type StateOf = (path: string) => { invalid: boolean; isTouched: boolean };

/**
 * A resolver for forms that show a fault once its field was left. Adding or removing a row checks all rows; what that
 * finds in fields where nobody was yet is not said before they are left, or the form is sent.
 */
export function sparingNewRows<Values extends FieldValues>(
  resolver: Resolver<Values, unknown, Values>,
  stateOf: StateOf,
): Resolver<Values, unknown, Values> {
  return async (values, context, options) => {
    const result = await resolver(values, context, options);
    const [name, ...others] = options.names ?? [];
    // Each field, also one with a list as its value, is checked under its own name: only rows have a name without one.
    if (name === undefined || others.length > 0 || get(options.fields, name)) return result;
    const faults: unknown = get(result.errors, name);
    if (isObject(faults)) set(result.errors, name, ofSeenRows(faults, name, stateOf));
    return result;
  };
}

function ofSeenRows(faults: object, name: string, stateOf: StateOf): object | undefined {
  const kept = Object.entries(faults).flatMap(([key, fault]) => {
    // Beside the rows stand the faults of the list itself.
    const left = /^\d+$/.test(key) && isObject(fault) ? ofSeen(fault, `${name}.${key}`, stateOf) : fault;
    return left === undefined ? [] : [[key, left]];
  });
  if (kept.length === 0) return undefined;
  return Object.assign(Array.isArray(faults) ? [] : {}, Object.fromEntries(kept));
}

function ofSeen(fault: object, path: string, stateOf: StateOf): object | undefined {
  const isSeen = (each: string) => stateOf(each).invalid || stateOf(each).isTouched;
  if ('message' in fault && typeof fault.message === 'string') return isSeen(path) ? fault : undefined;
  const kept = Object.entries(fault).filter(([field]) => isSeen(`${path}.${field}`));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
