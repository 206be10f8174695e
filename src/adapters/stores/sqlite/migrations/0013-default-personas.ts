/** What a project's agents wear unless another persona is named. */
export const defaultPersonas: readonly string[] = [
  `ALTER TABLE projects ADD COLUMN default_persona_id INTEGER REFERENCES personas(id)`,
];
