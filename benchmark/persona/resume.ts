/** The fictional user's curriculum vitae, with the keys of upstream's template. It is consistent with `persona.ts`.
 * The recorder renders the sections in this order. */
export interface Resume {
  readonly header: { readonly name: string; readonly title: string; readonly email: string; readonly location: string };
  readonly summary: string;
  readonly experience: readonly {
    readonly title: string;
    readonly company: string;
    readonly location: string;
    readonly dates: string;
    readonly bullets: readonly string[];
  }[];
  readonly education: readonly {
    readonly institution: string;
    readonly degree: string;
    readonly dates: string;
    readonly detail: string;
  }[];
  readonly skills: Readonly<Record<string, readonly string[]>>;
  readonly certifications: readonly string[];
  readonly languages: readonly { readonly language: string; readonly proficiency: string }[];
}

/** With the run's address in `header.email`. */
export function personResume(email: string): Resume {
  return {
    header: { name: 'Alex Rowan Green', title: 'Data Engineer', email, location: 'Columbus, Ohio, United States' },
    summary:
      'Data engineer with ten years of practice in environmental monitoring. Builds pipelines that people can read, and likes short meetings.',
    experience: [
      {
        title: 'Data Engineer',
        company: 'Lantern Water Analytics',
        location: 'Columbus, OH',
        dates: 'March 2019 - today',
        bullets: [
          'Turned the readings of 3,200 sensors into leak alerts that arrive within a minute.',
          'Halved the cost of the nightly aggregation by reading each file once.',
          'Mentors two junior engineers and writes the on-call handbook.',
        ],
      },
      {
        title: 'Software Developer',
        company: 'Bluff Street Labs',
        location: 'Dayton, OH',
        dates: 'July 2015 - February 2019',
        bullets: [
          'Wrote the booking system of a shared laboratory with 40 instruments.',
          'Moved its reports from spreadsheets to a database that several teams use.',
        ],
      },
    ],
    education: [
      {
        institution: 'Ohio Lakes State University',
        degree: 'Bachelor of Science, Environmental Engineering',
        dates: '2011 - 2015',
        detail: 'GPA 3.7; thesis on estimating river levels from rainfall.',
      },
    ],
    skills: {
      Languages: ['Python', 'SQL', 'TypeScript'],
      Practice: ['data modelling', 'technical writing', 'monitoring'],
    },
    certifications: ['Certified Data Modeller, Midwest Data Guild, 2021'],
    languages: [
      { language: 'English', proficiency: 'native' },
      { language: 'Spanish', proficiency: 'working knowledge' },
    ],
  };
}
