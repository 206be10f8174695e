import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, type FileHandle, mkdir, open, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { errorMessage } from '../../app/error-message.ts';
import type { AgentFiles, LaunchScript } from '../../app/ports/files/agent-files.ts';
import type { DocumentCheck } from '../../domain/facts.ts';
import {
  endMarker,
  endsWithMarker,
  freeDocumentPath,
  MAX_DOCUMENT_BYTES,
} from '../../domain/handoffs/document/document.ts';
import { environmentFile, removeLater } from './launch-environment.ts';
import { launchEnvironment, launchScript } from './launch-script.ts';
import { markOf } from './mark-of.ts';
import { readDocument } from './read-document.ts';
import { findNewTexts } from './texts/find-new-texts.ts';
import { createPersonaTexts } from './texts/persona-texts.ts';
import { firstExperience, firstSkill } from './texts/seed-texts.ts';
import { watchFolder } from './watch-folder.ts';
import { replaceFile, writeWholeFile } from './write-whole-file.ts';

export interface Folders {
  readonly path: string;
  readonly agents: string;
  readonly documents: string;
  readonly bin: string;
}

type WriteFile = (path: string, content: string | Uint8Array, mode: number) => Promise<void>;

export function createAgentFiles(home: Folders, checkpoint: (name: string) => void = () => undefined): AgentFiles {
  const write: WriteFile = (path, content, mode) => writeWholeFile(path, content, mode, checkpoint);
  // The crash points in a write of a persona's text have their own names. With the common names, a crash test could
  // kill Baton during the write of another file instead.
  const writePersonaText: WriteFile = (path, content, mode) =>
    writeWholeFile(path, content, mode, (name) => checkpoint(name.replace('file:', 'persona_text:')));
  // Returns the path of another SSH agent's socket if there is no socket at the path `named`, for example because the
  // operator closed the terminal that created the socket. Returns undefined if no other socket is needed or found.
  const writeForNow: WriteFile = (path, content, mode) =>
    replaceFile(path, content, mode, checkpoint, { flush: false });
  const absolute = (relative: string): string => join(home.path, relative);
  const personaFolder = (slug: string): string => absolute(`data/personas/${slug}`);
  const agentFolder = (agentId: number): string => join(home.agents, String(agentId));
  const sessionStartPath = (agentId: number): string => join(agentFolder(agentId), 'session-start');

  /**
   * Writes a document. If its folder does not exist, creates the folder, because the operator may have deleted it
   * during the handoff.
   */
  const writeDocument = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(absolute(path)), { recursive: true, mode: 0o700 });
    await write(absolute(path), content, 0o600);
  };

  const copyPath = (sha256: string): string => join(home.documents, `${sha256}.md`);
  const keepCopy = async (bytes: Buffer): Promise<string> => {
    const sha256 = sha256Of(bytes);
    await write(copyPath(sha256), bytes, 0o400);
    return sha256;
  };

  const isMarkedByUs = async (bytes: Buffer, endToken: string): Promise<boolean> => {
    const own = withMarker(Buffer.alloc(0), endToken);
    if (!bytes.subarray(-own.length).equals(own)) return false;
    return existsSync(join(home.documents, `${sha256Of(bytes.subarray(0, -own.length))}.md`));
  };

  /**
   * Reads Baton's own copy of a document. The name of the copy is the hash of its content, so Baton notices a changed
   * copy.
   */
  const readCopy = async (sha256: string): Promise<Buffer | 'changed' | undefined> => {
    const read = await readDocument(copyPath(sha256));
    if (read.verdict === 'missing') return undefined;
    return read.verdict === 'good' && sha256Of(read.bytes) === sha256 ? read.bytes : 'changed';
  };
  const changedCopy = (sha256: string): string =>
    `Baton's copy of the document (${copyPath(sha256)}) was changed after Baton verified the document`;

  return {
    home: home.path,
    agentFolder,
    batonProgram: () => join(home.bin, 'baton'),
    handoffsFolder: (slug) => join(personaFolder(slug), 'handoffs'),
    seedPersona: (slug, name, role) => seedPersona(personaFolder(slug), name, role),
    readSkill: async (slug) => ({
      skill: await readText(join(personaFolder(slug), 'skill.md')),
      experience: await readText(join(personaFolder(slug), 'experience.md')),
    }),
    skillMark: (slug) => markOf(['skill.md', 'experience.md'].map((name) => join(personaFolder(slug), name))),
    sessionStartMark: (agentId) => markOf([sessionStartPath(agentId)]),
    ...createPersonaTexts((slug, name) => join(personaFolder(slug), `${name}.md`), writePersonaText),
    writeDocument,
    prepareDocumentPlace: async ({ slug, uuid8, at, taken }) => {
      await mkdir(join(personaFolder(slug), 'handoffs'), { recursive: true, mode: 0o700 });
      const isTaken = (candidate: string): boolean => taken.includes(candidate) || existsSync(absolute(candidate));
      const path = freeDocumentPath(slug, at, uuid8, isTaken);
      return { path, absolutePath: absolute(path) };
    },
    checkDocument: async (path, endToken): Promise<DocumentCheck> => {
      const read = await readDocument(absolute(path));
      if (read.verdict !== 'good') return read;
      // Save a copy before reporting the document as good. After that report Baton may ask the agent to exit, and an
      // agent that has exited cannot write a lost document again.
      const sha256 = await keepCopy(read.bytes);
      const ends = endsWithMarker(read.bytes.toString('utf8'), endToken);
      // Detect an end marker that Baton itself added before a crash. Baton's marker does not show that the agent has
      // finished the document.
      const isOurs = ends && (await isMarkedByUs(read.bytes, endToken));
      const markerFound = ends && !isOurs;
      const found = { verdict: 'good', sha256, bytes: read.bytes.length, markerFound } as const;
      if (isOurs) return { ...found, markerAdded: true };
      const whole = withMarker(read.bytes, endToken);
      if (markerFound || whole.length > MAX_DOCUMENT_BYTES) return found;
      // Add the missing end marker, because it contains the token with which a successor acknowledges the document.
      const marked = await keepCopy(whole);
      await write(absolute(path), whole, 0o600);
      return { ...found, sha256: marked, bytes: whole.length, markerAdded: true };
    },
    restoreDocument: async (path, sha256, isApproved) => {
      const read = await readDocument(absolute(path));
      if (read.verdict === 'good' && sha256Of(read.bytes) === sha256) return 'there';
      const isMissing = read.verdict === 'missing';
      if (!isMissing && !isApproved) return 'changed';
      const copy = await readCopy(sha256);
      if (copy === undefined)
        throw new Error(
          isMissing
            ? `the document and its copy (${copyPath(sha256)}) are missing`
            : `the document was changed, and its approved copy (${copyPath(sha256)}) is missing`,
        );
      if (copy === 'changed')
        throw new Error(`the document ${isMissing ? 'is missing' : 'was changed'}. ${changedCopy(sha256)}`);
      if (read.verdict === 'good') await keepCopy(read.bytes);
      await writeDocument(path, copy);
      return isMissing ? 'restored' : 'changed_and_put_back';
    },
    adoptDocument: async (from, { path: to, endToken, allowedFolders }) => {
      if (!isAbsolute(from)) return `Name the file by its absolute path, not "${from}".`;
      if (!(await isInside(from, allowedFolders)))
        return `${from} is neither in the agent's project nor in its persona's handoffs folder, so Baton does not use it.`;
      const read = await readDocument(from);
      if (read.verdict !== 'good') return `Baton cannot use ${from}, because ${NOT_TAKEN[read.verdict]}.`;
      try {
        const before = await readDocument(absolute(to));
        // Save a copy of the old document, because the new document replaces it.
        if (before.verdict === 'good') await keepCopy(before.bytes);
        const ends = endsWithMarker(read.bytes.toString('utf8'), endToken);
        await writeDocument(to, ends ? read.bytes : withMarker(read.bytes, endToken));
      } catch (error) {
        return `Baton could not copy ${from} to ${absolute(to)}: ${errorMessage(error)}`;
      }
      return undefined;
    },
    newTexts: findNewTexts,
    keptDocument: async (sha256) => {
      const copy = await readCopy(sha256);
      if (copy === undefined) return {};
      return copy === 'changed'
        ? { problem: `${changedCopy(sha256)}, so Baton does not show the copy.` }
        : { text: copy.toString('utf8') };
    },
    readDocumentFacts: async (path, endToken) => {
      const read = await readDocument(absolute(path));
      if (read.verdict !== 'good') return undefined;
      const fingerprint = `${read.changedNs}/${sha256Of(read.bytes)}`;
      return { fingerprint, markerFound: endsWithMarker(read.bytes.toString('utf8'), endToken) };
    },
    watchDocument: (path, listener) => watchFolder(dirname(absolute(path)), listener),
    sessionStartPath,
    keepSessionStart: (agentId, content) => keepFile(sessionStartPath(agentId), content),
    writeLaunch: (agentId, launch) => writeLaunch(agentFolder(agentId), launch, home.bin, writeForNow),
    makeSampleProject: (name, files) => makeSampleProject(absolute('demo'), name, files),
    whyNotAProject,
    whyNotANewProject: async (path) => whyTooWide(path, home.path) ?? (await whyNotAProject(path)),
  };
}

const withMarker = (bytes: Buffer, endToken: string): Buffer =>
  Buffer.concat([bytes, Buffer.from(`\n\n${endMarker(endToken)}\n`)]);

const NOT_TAKEN = {
  missing: 'it does not exist',
  empty: 'it is empty',
  not_a_regular_file: 'the path is not a regular file',
  reached_through_link: 'the path of the file leads through a symbolic link',
  too_large: 'it is larger than 1 MiB',
  unreadable: 'it cannot be read',
} as const;

/**
 * Compares paths after resolving symbolic links, because a link inside a path must not lead out of the allowed folders.
 */
async function isInside(path: string, folders: readonly string[]): Promise<boolean> {
  const real = await realpath(dirname(path)).catch(() => undefined);
  if (real === undefined) return false;
  const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  return roots.some((root) => real === root || real.startsWith(`${root}/`));
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function seedPersona(folder: string, name: string, role: string): Promise<void> {
  await mkdir(join(folder, 'handoffs'), { recursive: true, mode: 0o700 });
  const files = { 'skill.md': firstSkill(name, role), 'experience.md': firstExperience(name) };
  for (const [file, text] of Object.entries(files)) {
    await writeFile(join(folder, file), text, { flag: 'wx', mode: 0o600 }).catch(unlessExists);
  }
}

async function writeLaunch(
  folder: string,
  launch: LaunchScript,
  bin: string,
  write: WriteFile,
): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [name, content] of Object.entries(launch.files)) await write(join(folder, name), content, 0o600);
  const script = join(folder, 'launch.sh');
  const environment = environmentFile(folder);
  await write(script, launchScript(launch, { bin, environment }), 0o600);
  // Write the file with the secrets last. If Baton is killed before this line, no secret is on disk.
  await write(environment, launchEnvironment(launch), 0o600);
  removeLater(folder);
  return ['/bin/sh', script];
}

async function keepFile(path: string, content: string | undefined): Promise<void> {
  if ((await readText(path)) === content) return;
  if (content === undefined) return rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeWholeFile(path, content, 0o600);
}

const CHUNK_BYTES = 16_384;

/** Reads in chunks, because a buffer of the maximum size for every text would make the server's memory grow. */
async function readUpTo(file: FileHandle, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let length = 0; length < most; ) {
    const size = Math.min(CHUNK_BYTES, most - length);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, length);
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(chunks);
}

/**
 * Checks the target of a symbolic link before reading it, because the operator may have put a link at this path. The
 * target must be a regular file of limited size, not a FIFO or a device.
 */
async function readText(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    if (error.code === 'ENXIO') throw new Error(`${path} is not a regular file`);
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file`);
    const bytes = await readUpTo(file, MAX_DOCUMENT_BYTES + 1);
    if (bytes.length > MAX_DOCUMENT_BYTES) throw new Error(`${path} is larger than 1 MiB`);
    const text = bytes.toString('utf8');
    return text.trim() === '' ? undefined : text;
  } finally {
    await file.close();
  }
}

/** Each demo gets a new folder, because agents of an earlier demo may have left their work in the old one. */
async function makeSampleProject(
  parent: string,
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 });
  let folder = join(parent, name);
  for (let number = 2; !(await isMade(folder)); number += 1) folder = join(parent, `${name}-${number}`);
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, file), text, { mode: 0o600 });
  }
  return realpath(folder);
}

const isMade = (folder: string): Promise<boolean> =>
  mkdir(folder, { mode: 0o700 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      unlessExists(error);
      return false;
    },
  );

/**
 * Returns why this folder cannot be a project: in it, an agent could change all of the operator's files, or Baton
 * itself. Returns undefined for every other folder.
 */
function whyTooWide(path: string, home: string): string | undefined {
  const named = path === '/' ? path : path.replace(/\/$/, '');
  const is = { '/': 'the whole disk', [homedir()]: 'your home folder', [home]: "Baton's own home" }[named];
  return is === undefined ? undefined : `${path} is ${is}, not a project. Name the folder in which the agent works.`;
}

async function whyNotAProject(path: string): Promise<string | undefined> {
  if (!isAbsolute(path)) return `The project path must be absolute, not "${path}".`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses control characters
  if (/[\u0000-\u001f\u007f]/.test(path)) return 'The project path contains control characters.';
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return `The project folder ${path} does not exist.`;
  if (!found.isDirectory()) return `${path} is not a folder.`;
  if ((await realpath(path)) !== path)
    return `The path ${path} leads through a symbolic link; name the real folder: ${await realpath(path)}`;
  const usable = await access(path, constants.R_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  return usable ? undefined : `The user that runs Baton is not allowed to open the project folder ${path}.`;
}

function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
