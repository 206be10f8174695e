import { Transform } from 'node:stream';

/**
 * The maximum length of a line. This limit is far above the API's limit for a request. A request that is slightly too
 * large for the API thus still reaches its tool, and the tool can report the problem.
 */
const MAX_LINE = 4 * 1024 * 1024;
/**
 * The number of bytes at each end of a long line in which Baton searches for the id of the request. Some clients write
 * the id at the beginning of the line, and others at the end.
 */
const EDGE = 200;

/**
 * Forwards messages, one per line, and drops lines that are too long. If such a line reached the MCP library, the
 * library would close the connection, and the agent would lose its tools. `onTooLong` gets the id of the dropped
 * request.
 */
export function boundedLines(onTooLong: (id: string | number | null) => void, longest = MAX_LINE): Transform {
  let line: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer): void => {
    length += piece.length;
    if (length <= longest) line.push(piece);
    else line = [Buffer.concat(line).subarray(0, EDGE), Buffer.concat([...line.slice(1), piece]).subarray(-EDGE)];
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      let rest = chunk;
      for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
        take(rest.subarray(0, end));
        if (length > longest) onTooLong(numberIn(Buffer.concat(line).toString('utf8')));
        else this.push(Buffer.concat([...line, Buffer.from('\n')]));
        line = [];
        length = 0;
        rest = rest.subarray(end + 1);
      }
      if (rest.length > 0) take(rest);
      done();
    },
  });
}

const NUMBERS = [/^\{"jsonrpc":"2\.0","id":(\d+|"[^"\\]*")/, /"id":(\d+|"[^"\\]*")\}\s*$/];

function numberIn(edges: string): string | number | null {
  const found = NUMBERS.map((pattern) => pattern.exec(edges)?.[1]).find((number) => number !== undefined);
  return found === undefined ? null : (JSON.parse(found) as string | number);
}
