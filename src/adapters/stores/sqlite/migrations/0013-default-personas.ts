/** The persona that a project's agents get unless the operator names another persona. */
export const defaultPersonas: readonly string[] = [
  `ALTER TABLE projects ADD COLUMN default_persona_id INTEGER REFERENCES personas(id)`,
];
