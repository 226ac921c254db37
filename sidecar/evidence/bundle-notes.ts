/** Sentences about what is missing from the evidence, each told once. */
export interface BundleNotes {
  readonly add: (note: string) => void;
  readonly all: () => readonly string[];
}

/** No evidence needs more; a fault that repeats with changing words must not grow without end. */
const MOST = 200;

export function openBundleNotes(onNote: (note: string) => void): BundleNotes {
  const notes = new Set<string>();
  return {
    add: (note) => {
      if (notes.has(note) || notes.size >= MOST) return;
      notes.add(note);
      onNote(note);
    },
    all: () => [...notes],
  };
}
