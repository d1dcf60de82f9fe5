/**
 * Resolves the imports of this checkout itself, before anything else is loaded (`--import`, or as the first import of an
 * entry that loads the rest with `await import()`). Node reads the `package.json` of both sides anew for each import, and
 * that of drizzle-orm has 179 kB: 45 % of the processor time in which the service loads its 2,500 modules
 * (docs/decisions/0351). Whatever is not named here, Node resolves.
 */
import { registerHooks, type ResolveFnOutput } from 'node:module';

const ROOT = new URL('..', import.meta.url).href;
const PACKAGES = `${ROOT}node_modules/`;
/** It has modules of one kind alone, and names each file as it is called. */
const DRIZZLE = `${PACKAGES}drizzle-orm/`;

/** What a bare name means to our own modules. */
const packages = new Map<string, ResolveFnOutput>();

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '', conditions, importAttributes } = context;
    // `require` has other rules.
    if (!parentURL.startsWith(ROOT) || !conditions.includes('import')) return next(specifier, context);
    if (parentURL.startsWith(PACKAGES)) {
      const isWithin = parentURL.startsWith(DRIZZLE) && /^\..*\.js$/.test(specifier);
      return isWithin ? found(new URL(specifier, parentURL), 'module') : next(specifier, context);
    }
    if (/^[#.].*\.ts$/.test(specifier)) {
      const url = specifier.startsWith('#')
        ? new URL(specifier.slice(1), ROOT)
        : new URL(specifier, parentURL);
      return found(url, 'module-typescript');
    }
    if (!/^[@a-z]/.test(specifier) || Object.keys(importAttributes).length > 0)
      return next(specifier, context);
    const known = packages.get(specifier) ?? { ...next(specifier, context), shortCircuit: true };
    packages.set(specifier, known);
    return known;
  },
});

function found(url: URL, format: string): ResolveFnOutput {
  return { url: url.href, format, shortCircuit: true };
}
