import { createWriteStream, type WriteStream } from 'node:fs';

export interface OpenLog {
  write(text: string | Buffer): void;
  end(): void;
}

/** After a full disk the log is tried again later, not at every line. */
const tryAgainAfterMs = 10_000;
/** The most bytes kept in memory for a slow disk. */
const mostWaitingBytes = 8_000_000;

/** Appends to a log. When the disk is full, lines are lost, the loss is reported once, and no process ends. */
export function openLog(file: string, say: (line: string) => void): OpenLog {
  let stream: WriteStream | undefined;
  let restsUntil = 0;
  let isReported = false;
  const failed = (error: Error) => {
    stream = undefined;
    restsUntil = Date.now() + tryAgainAfterMs;
    if (!isReported)
      say(`The log ${file} cannot be written (${error.message}). What it would hold is lost until it can be.`);
    isReported = true;
  };
  const open = () => createWriteStream(file, { flags: 'a', mode: 0o600 }).once('error', failed);
  return {
    write(text) {
      if (stream === undefined && Date.now() < restsUntil) return;
      stream ??= open();
      if (stream.writableLength > mostWaitingBytes) return;
      stream.write(text, (error) => {
        if (!error) isReported = false;
      });
    },
    end: () => void stream?.end(),
  };
}
