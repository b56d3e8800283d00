import type { Random } from './random.ts';

const firstNames =
  `Aaliyah Abigail Adrian Aisha Alejandro Amanda Amber Andre Angela Anita Anthony Ashley Becca Bernard Beth Brandon Brenda Brian Caleb Camila Candace Carlos Carmen Cassandra Charlene Chen Cheryl Chris Claudia Curtis Cynthia Damon Danielle Darnell David Deborah Denise Derek Diana Dominic Donna Dwayne Eduardo Elena Emily Erica Ernesto Esther Evelyn Fatima Felicia Francis Gabriela Gary Gina Gloria Gregory Hannah Harold Hassan Heather Hector Helen Hope Ian Ibrahim Imani Irene Isaac Isabel Jacob Jamal Janelle Jasmine Javier Jennifer Jeremy Jerome Jillian Joel Jorge Josie Julia Karen Karla Keisha Kelvin Kendra Kevin Kiara Kim Krista Lamar Latoya Laura Leah Leonard Leticia Linda Logan Lorena Lucia Luther Maggie Malik Marcia Maria Marlon Martha Matthew Maya Melissa Mei Miguel Miriam Mohammed Monica Nadia Naomi Natalie Nathan Nicole Noah Nora Olivia Omar Oscar Pamela Patrice Patrick Paula Pedro Philip Priscilla Rachel Ramon Raquel Rashid Rebecca Regina Ricardo Rita Robert Rochelle Rosa Roy Ruben Sabrina Samantha Samuel Sandra Sarah Sean Shanice Sharon Sheila Simon Sonia Stephanie Steven Susan Tanya Tara Terrence Theresa Tiffany Timothy Tracy Trent Tyrone Valerie Vanessa Veronica Victor Vincent Wanda Wendy Wesley Xavier Yolanda Yusuf Zachary Zoe`.split(
    ' ',
  );
const lastNames =
  `Abbott Acosta Adkins Aguilar Alford Ali Allen Alvarado Anderson Arnold Atkins Bailey Baker Baldwin Banks Barnes Barrera Bates Beck Bell Bennett Berry Bishop Blair Blanchard Bowen Boyd Bradley Brooks Bryant Burke Burton Byrd Cabrera Calhoun Campbell Cantrell Carr Carter Castro Chambers Chang Chavez Cho Clark Clay Cole Coleman Collins Cook Cooper Cortez Crawford Cross Cruz Cummings Daniels Davenport Davis Dawson Delgado Diaz Dixon Dorsey Douglas Duncan Dunn Duran Edwards Ellis English Espinoza Evans Farmer Ferguson Fields Fisher Fleming Flores Ford Foster Fox Francis Franklin Frazier Freeman Fuller Gaines Garcia Gibson Gilbert Glover Gomez Gonzales Gordon Grant Graves Greene Griffin Guerrero Gutierrez Hale Hamilton Hansen Hardy Harper Harris Hart Hayes Henderson Hernandez Hicks Hill Hodges Holland Holmes Hoover Howard Hudson Hunt Hussain Ingram Jackson James Jefferson Jenkins Jennings Johnson Jordan Joseph Kaur Keller Kelley Khan King Kirby Knight Lambert Lane Lawson Lee Leon Lewis Lin Little Logan Long Lopez Love Lowe Lynch Mack Maldonado Mann Marsh Martin Mason Massey McBride McCoy McDaniel McKinney Medina Mejia Mendoza Meyer Miles Miller Mitchell Moore Morales Morgan Morris Munoz Murphy Myers Neal Nelson Newman Nguyen Nolan Norris Nunez Obrien Okafor Oliver Ortiz Osborne Owens Padilla Page Parker Parks Patel Patterson Payne Perez Perkins Perry Peters Phillips Pierce Porter Powell Pratt Price Quinn Ramirez Ramos Randall Ray Reed Reyes Reynolds Rice Richards Riley Rivera Roberts Robinson Rodriguez Rogers Romero Rosario Ross Rowe Ruiz Russell Ryan Salazar Sanchez Sanders Santiago Santos Schmidt Scott Shaw Shelton Silva Simmons Singh Sims Smith Snyder Solis Soto Spencer Stafford Stanley Steele Stephens Stewart Stone Suarez Sullivan Summers Sutton Swanson Tate Taylor Terry Thomas Thompson Todd Torres Townsend Tran Trujillo Tucker Turner Underwood Valdez Vance Vargas Vasquez Vaughn Vega Wade Walker Wallace Walsh Walton Ward Warren Washington Watkins Watts Weaver Webb Weber Wells West Wheeler White Whitaker Williams Willis Wilson Wolfe Wong Wood Woods Wright Wu Yang Yates York Young Zamora Zimmerman`.split(
    ' ',
  );
const children =
  'Mia Liam Ava Noah Zoe Eli Ruby Jace Nia Omar Lena Theo Iris Kai Rosa Finn Amara Leo Tess Hugo Ivy Cole Maya Jude'.split(
    ' ',
  );

export const schools = [
  'Harlow Elementary',
  'Creekside Middle',
  'Harlow Creek High',
  'Mill Street Academy',
] as const;
export const grades = [
  'Kindergarten',
  'Grade 1',
  'Grade 2',
  'Grade 3',
  'Grade 4',
  'Grade 5',
  'Grade 6',
  'Grade 7',
  'Grade 8',
  'Grade 9',
  'Grade 10',
  'Grade 11',
  'Grade 12',
] as const;
export const buses = [
  'Bus 2 riders',
  'Bus 7 riders',
  'Bus 9 riders',
  'Bus 14 riders',
  'Bus 21 riders',
] as const;

export interface DemoPerson {
  firstName: string;
  lastName: string;
  phone: string;
  notes: string;
  student: string;
  groups: string[];
}

/** People with names on the sandbox's telephones, and those with texts. */
const known: [first: string, last: string, ending: string, student: string, notes: string][] = [
  ['Renee', 'Castellano', '0143', 'Mia Castellano', 'At the hospital until 2. Prefers texts to calls.'],
  ['Walter', 'Grice', '0109', 'Joel Grice', ''],
  ['Grace', 'Kim', '0106', 'Hana Kim', 'Room parent, Grade 5'],
  ['Omar', 'Haddad', '0168', 'Sami Haddad', ''],
  ['Tamika', 'Boyd', '0111', 'Jace Boyd', 'After-care on Tuesdays'],
  ['Luis', 'Ortega', '0112', 'Rosa Ortega', 'Prefers Spanish'],
  ['Priya', 'Raman', '0113', 'Nia Raman', ''],
  ['Minh', 'Tran', '0114', 'Kevin Tran', ''],
  ['Ebony', 'Lattimore', '0115', 'Amara Lattimore', ''],
  ['Carl', 'Dunham', '0116', 'Cole Dunham', ''],
  ['Becky', 'Stroud', '0117', 'Tess Stroud', 'PTA treasurer'],
  ['Sofia', 'Delgado', '0118', 'Leo Delgado', ''],
];

/** Fictional numbers: exchange 555, 0100 to 0199, in the area codes around. */
const areaCodes =
  '423 865 615 931 901 731 629 706 770 404 678 470 912 828 704 336 276 540 434 256 205 334 606 859 502 270'.split(
    ' ',
  );

/** `count` people with a phone each, no phone twice, none of the organizations' own numbers. */
export function makePeople(random: Random, count: number, taken: ReadonlySet<string>): DemoPerson[] {
  const people: DemoPerson[] = known.map(([firstName, lastName, ending, student, notes]) => ({
    firstName,
    lastName,
    phone: `1423555${ending}`,
    notes,
    student,
    groups: groupsFor(random),
  }));
  const used = new Set([...taken, ...people.map((person) => person.phone)]);
  for (const areaCode of areaCodes) {
    for (let line = 100; line < 200 && people.length < count; line += 1) {
      const phone = `1${areaCode}5550${line}`;
      if (used.has(phone)) continue;
      const lastName = random.pick(lastNames);
      people.push({
        firstName: random.pick(firstNames),
        lastName,
        phone,
        notes: random.chance(0.06)
          ? random.pick(['Prefers a call', 'Speaks Spanish', 'Works nights', 'Shares a phone'])
          : '',
        student: `${random.pick(children)} ${lastName}`,
        groups: groupsFor(random),
      });
    }
  }
  return people;
}

function groupsFor(random: Random): string[] {
  const grade = random.pick(grades);
  const level = grades.indexOf(grade);
  const school = schools[level <= 5 ? (random.chance(0.15) ? 3 : 0) : level <= 8 ? 1 : 2] ?? schools[0];
  const groups: string[] = [school, grade];
  if (random.chance(0.35)) groups.push(random.pick(buses));
  if (random.chance(0.08)) groups.push('PTA');
  if (random.chance(0.04)) groups.push('Staff');
  return groups;
}
