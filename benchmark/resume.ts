/** What the résumé PDF shows; sections are rendered in this order. Rendering is done where pdfkit is (not here). */
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
    readonly degree: string;
    readonly institution: string;
    readonly dates: string;
    readonly detail: string;
  }[];
  readonly skills: Readonly<Record<string, readonly string[]>>;
  readonly certifications: readonly string[];
  readonly languages: readonly { readonly language: string; readonly proficiency: string }[];
}

/** The persona's résumé with the run's mail address. */
export function personResume(email: string): Resume {
  return {
    header: { name: 'Alex Rowan Green', title: 'Data Engineer', email, location: 'Columbus, OH' },
    summary:
      'Data engineer with ten years of practice in environmental monitoring: pipelines, data models and the people who depend on them.',
    experience: [
      {
        title: 'Data Engineer',
        company: 'Lantern Water Analytics',
        location: 'Columbus, OH',
        dates: '2019 - present',
        bullets: [
          'Runs the ingestion of 40,000 water sensors in three states',
          'Cut the time from leak to alert from hours to four minutes',
          'Mentors two junior engineers',
        ],
      },
      {
        title: 'Software Developer',
        company: 'Bluff Street Labs',
        location: 'Dayton, OH',
        dates: '2015 - 2019',
        bullets: [
          'Wrote the booking system of a shared laboratory',
          'Moved its reports from spreadsheets to a database',
        ],
      },
    ],
    education: [
      {
        degree: 'B.Sc. Environmental Engineering',
        institution: 'Ohio Lakes State University',
        dates: '2011 - 2015',
        detail: 'GPA 3.7',
      },
    ],
    skills: {
      Languages: ['Python', 'SQL', 'TypeScript'],
      Data: ['stream processing', 'data modelling'],
      Working: ['technical writing', 'mentoring'],
    },
    certifications: ['Certified Data Steward (fictional)'],
    languages: [
      { language: 'English', proficiency: 'native' },
      { language: 'Spanish', proficiency: 'intermediate' },
    ],
  };
}
