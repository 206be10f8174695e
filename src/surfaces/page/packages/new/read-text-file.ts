const MAX_KIB = 128;

/** Reads a file that the operator chose. Throws a sentence for the operator if the file is too large or not UTF-8. */
export async function readTextFile(file: File): Promise<string> {
  if (file.size > MAX_KIB * 1024) throw new Error(`${file.name} is larger than ${MAX_KIB} KiB and was not loaded.`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Error(`${file.name} is not UTF-8 text. Choose a YAML or JSON file.`);
  }
}
