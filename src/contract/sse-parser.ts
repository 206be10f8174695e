export interface SseFrame {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Parses server-sent events from chunks of any size. Skips comments (the heartbeat) and frames without data. */
export class SseParser {
  private rest = '';
  private id = '';
  private event = '';
  private data: string[] = [];

  feed(text: string): SseFrame[] {
    const frames: SseFrame[] = [];
    const all = this.rest + text;
    // Keep a CR at the end of a chunk for the next chunk, which may begin with the LF of a CRLF.
    const whole = all.endsWith('\r') ? all.slice(0, -1) : all;
    const lines = whole.split(/\r\n|\n|\r/);
    this.rest = (lines.pop() ?? '') + all.slice(whole.length);
    for (const line of lines) {
      if (line === '') this.dispatch(frames);
      else this.take(line);
    }
    return frames;
  }

  private take(line: string): void {
    const colon = line.indexOf(':');
    if (colon === 0) return;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') this.id = value;
    else if (field === 'event') this.event = value;
    else if (field === 'data') this.data.push(value);
  }

  private dispatch(frames: SseFrame[]): void {
    if (this.data.length > 0) frames.push({ id: this.id, event: this.event || 'message', data: this.data.join('\n') });
    this.event = '';
    this.data = [];
  }
}
