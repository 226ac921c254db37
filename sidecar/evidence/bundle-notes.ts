/** The manifest's `notes`: sentences about what is missing from the evidence, each recorded once. */
export interface BundleNotes {
  readonly add: (note: string) => void;
  readonly all: () => readonly string[];
}

/** A fault that repeats with changing words must not grow without end. */
const MAX_NOTES = 200;

export function openBundleNotes(onNote: (note: string) => void): BundleNotes {
  const notes = new Set<string>();
  return {
    add: (note) => {
      if (notes.has(note) || notes.size >= MAX_NOTES) return;
      notes.add(note);
      onNote(note);
    },
    all: () => [...notes],
  };
}
