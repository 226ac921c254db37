/**
 * The fictional user whose data an agent works with. The data is invented; only the keys that tasks rely on are upstream's:
 * `contact.email`, `address.home`, `identity.date_of_birth`, `financial.credit_cards[]`, and no phone
 * number. Card numbers are the networks' public test numbers; the mail domain is that of the run's mailbox.
 */

export interface Mailbox {
  readonly email: string;
  readonly password: string;
  readonly loginUrl: string;
  readonly provider: string;
}

/** The mailbox of a run without mail: an address that cannot exist. */
export const NO_MAILBOX: Mailbox = {
  email: 'alex.green@mail.invalid',
  password: '',
  loginUrl: '',
  provider: 'None',
};

const HOME = {
  street: '418 Juniper Terrace',
  unit: 'Apt 5B',
  city: 'Columbus',
  state: 'OH',
  postal_code: '43215',
  country: 'United States',
};

/** The profile with the run's address in `contact.email`. */
export function personProfile(email: string): Record<string, unknown> {
  return {
    identity: {
      first_name: 'Alex',
      middle_name: 'Rowan',
      last_name: 'Green',
      full_name: 'Alex Rowan Green',
      date_of_birth: '1993-08-21',
      gender: 'non-binary',
      pronouns: 'they/them',
      nationality: 'United States',
      languages: ['English', 'Spanish'],
    },
    contact: { email },
    address: {
      home: HOME,
      work: {
        company: 'Lantern Water Analytics',
        street: '77 Foundry Row',
        city: 'Columbus',
        state: 'OH',
        postal_code: '43201',
        country: 'United States',
      },
    },
    education: [
      {
        institution: 'Ohio Lakes State University',
        degree: 'Bachelor of Science',
        field: 'Environmental Engineering',
        start: '2011-09',
        end: '2015-05',
        gpa: '3.7',
      },
    ],
    work_experience: [
      {
        company: 'Lantern Water Analytics',
        title: 'Data Engineer',
        location: 'Columbus, OH',
        start: '2019-03',
        end: null,
        summary: 'Builds the pipelines that turn sensor readings into leak alerts.',
      },
      {
        company: 'Bluff Street Labs',
        title: 'Software Developer',
        location: 'Dayton, OH',
        start: '2015-07',
        end: '2019-02',
        summary: 'Wrote the booking system of a shared laboratory.',
      },
    ],
    skills: ['Python', 'SQL', 'TypeScript', 'data modelling', 'technical writing'],
    government_ids: {
      ssn: '000-12-3456',
      passport: { number: 'X00000000', country: 'United States', expires: '2031-04-30' },
      drivers_license: { number: 'ZZ000000', state: 'OH', expires: '2029-08-21' },
    },
    financial: {
      credit_cards: [
        { network: 'Visa', number: '4242424242424242', expiry: '11/30', cvv: '137', cardholder_name: 'Alex R Green' },
        {
          network: 'Mastercard',
          number: '5555555555554444',
          expiry: '06/31',
          cvv: '842',
          cardholder_name: 'Alex R Green',
        },
      ],
      bank_account: { bank: 'Foundry Savings (fictional)', routing_number: '000000000', account_number: '0001234567' },
      annual_income_usd: 84000,
    },
    insurance: {
      health: { provider: 'Riverbend Health (fictional)', member_id: 'RB0000001' },
      auto: { provider: 'Crossing Mutual (fictional)', policy_number: 'CM-000-001' },
    },
    vehicle: {
      make: 'Subaru',
      model: 'Impreza',
      year: 2018,
      color: 'green',
      license_plate: 'TST 0001',
      vin: '00000000000000000',
      mileage: 61200,
    },
    pet: { name: 'Biscuit', species: 'dog', breed: 'Beagle mix', age_years: 4, weight_lb: 28, vaccinated: true },
    medical: {
      blood_type: 'O+',
      height_cm: 174,
      weight_kg: 68,
      allergies: ['penicillin'],
      conditions: [],
      medications: [],
    },
    preferences: {
      diet: 'vegetarian',
      seat: 'aisle',
      shirt_size: 'M',
      shoe_size_us: '9',
      newsletter: false,
      budget_style: 'mid-range',
    },
    professional_summary:
      'Data engineer with ten years of practice in environmental monitoring, who likes clear interfaces and short meetings.',
  };
}

/** `email_credentials.json`. */
export function mailCredentials(mailbox: Mailbox): Record<string, string> {
  return { email: mailbox.email, password: mailbox.password, login_url: mailbox.loginUrl, provider: mailbox.provider };
}
