import { LoginAddress } from '../../../contract/resources.ts';
import { PATHS } from '../../../contract/routes.ts';
import type { Cli } from '../cli.ts';
import { operatorClient } from '../client/operator-client.ts';
import { showAnswer } from '../messages/show-answer.ts';
import { ink, type Part } from '../output/ink.ts';
import { drawQrCode } from '../output/qr-code.ts';

export interface OpenOptions {
  readonly host?: string;
  /** Whether to print a QR code; if undefined, it is printed only to a terminal. */
  readonly qr?: boolean;
}

/** Prints the address on the first line, so that a script can read that line alone. */
export async function openPage(cli: Cli, { host, qr }: OpenOptions): Promise<number> {
  const { stdout } = cli.deps;
  const answer = await operatorClient(cli.deps).post(
    PATHS.loginCodes,
    host === undefined ? {} : { host },
    LoginAddress,
  );
  const wanted = qr ?? stdout.isTTY === true;
  return showAnswer(cli, answer, ({ url }) => [[url], ...(wanted ? underneath(url, stdout.columns) : [])]);
}

function underneath(url: string, columns: number | undefined): Part[][] {
  const rows = drawQrCode(url);
  const width = rows[0]?.length ?? 0;
  // Some terminals report a width of 0, which counts as 80. A code with wrapped lines cannot be scanned.
  const code =
    (columns || 80) < width
      ? [[ink('dim', `This terminal is too narrow for the QR code, which needs ${width} columns.`)]]
      : rows.map((row) => [ink('white on black', row)]);
  const local = url.startsWith('http://')
    ? [[ink('dim', 'This link works on this machine only. For a phone: baton open --host NAME, see docs/REACH.md.')]]
    : [];
  return [
    ...code,
    [ink('dim', 'The link signs in anyone who opens it. It works once, for 60 seconds. A new one: baton open')],
    ...local,
  ];
}
