import { config } from 'zod';

// Runs before the page's own code. zod tries `new Function` to see whether it may compile schemas; the page's
// Content-Security-Policy forbids that, and every visit would be reported as a violation.
config({ jitless: true });
