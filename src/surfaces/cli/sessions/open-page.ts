import { LoginAddress } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { EXIT } from '../cli-fault.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, type Part, TICK } from '../output/ink.ts';
import { drawQrCode } from '../output/qr-code.ts';
import { browserOpener, openBrowser } from './open-browser.ts';

export interface OpenOptions {
  readonly host?: string;
  /** True to print a QR code, false to print none. If undefined, the code is printed only to a terminal. */
  readonly qr?: boolean;
  /** True to print the address and open no browser. */
  readonly print?: boolean;
}

const VALIDITY =
  'The link signs in anyone who opens it. It works once, for 60 seconds. Get a new link: baton open --print';

/**
 * Opens the page in the browser. Without a display, prints the address alone on the first line, so that scripts can
 * read it.
 */
export async function openPage(cli: Cli, options: OpenOptions): Promise<number> {
  const { host, qr } = options;
  const { stdout } = cli.deps;
  const answer = await operatorClient(cli.deps).post(
    PATHS.loginCodes,
    host === undefined ? {} : { host },
    LoginAddress,
  );
  if (await isOpened(cli, options, answer.data.url)) return EXIT.done;
  const wanted = qr ?? stdout.isTTY === true;
  showAnswer(cli, answer, ({ url }) => [[url], ...(wanted ? underneath(url, stdout.columns) : [])]);
  if (!wanted && !cli.json) cli.out.note(ink('dim', VALIDITY));
  return EXIT.done;
}

/**
 * Opens the browser if the output goes to a terminal and no option such as --print or --host is given. Returns true if
 * the browser was opened.
 */
async function isOpened({ deps, json, out }: Cli, { host, qr, print }: OpenOptions, url: string): Promise<boolean> {
  const opener = browserOpener(deps.env);
  const isForBrowser = deps.stdout.isTTY === true && !json && !print && host === undefined && qr === undefined;
  if (!isForBrowser || opener === undefined) return false;
  if (!(await openBrowser(deps, opener, url))) {
    out.note(ink('yellow', `The browser could not be opened with ${opener}. Open this address:`));
    return false;
  }
  out.print(TICK, ' Opened the page in your browser');
  out.print(ink('dim', '  If no page appears: baton open --print. For a phone: baton open --host NAME'));
  return true;
}

function underneath(url: string, columns: number | undefined): Part[][] {
  const rows = drawQrCode(url);
  const width = rows[0]?.length ?? 0;
  // Some terminals report a width of 0, which counts as 80. The QR code is not printed if its lines would wrap, because
  // a wrapped code cannot be scanned.
  const code =
    (columns || 80) < width
      ? [[ink('dim', `This terminal is too narrow for the QR code, which needs ${width} columns.`)]]
      : rows.map((row) => [ink('white on black', row)]);
  const local = url.startsWith('http://')
    ? [[ink('dim', 'This link works on this machine only. For a phone: baton open --host NAME, see docs/REACH.md.')]]
    : [];
  return [...code, [ink('dim', VALIDITY)], ...local];
}
