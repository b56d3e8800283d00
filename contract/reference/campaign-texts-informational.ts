import type { CampaignTexts } from './campaign-details.ts';

/** News for people who asked to be kept informed: nothing here sells anything. */
export const informationalCampaigns: CampaignTexts = {
  Default: {
    description:
      '[Organization] sends account notices, reminders, schedule changes and answers to questions to people who asked to receive them.',
    samples: [
      '[Organization]: This is a reminder of your appointment tomorrow at 10:00 AM. Reply to this text if you need another time. Reply STOP to opt out.',
      '[Organization]: Our office is closed this Monday for the holiday and opens again Tuesday at 8:00 AM. Reply STOP to opt out.',
      '[Organization]: We received your request and will get back to you within two business days. Reply STOP to opt out.',
    ],
  },
  AGRICULTURE: {
    description:
      '[Organization] texts growers, members and seasonal workers about deliveries, field conditions, work schedules and meeting times.',
    samples: [
      '[Organization]: Grain deliveries are accepted until 7:00 PM today at the north elevator. Reply STOP to opt out.',
      '[Organization]: Frost is expected tonight. Crews start at 9:00 AM instead of 6:00 AM tomorrow. Reply STOP to opt out.',
    ],
  },
  COMMUNICATION: {
    description:
      '[Organization] texts customers and readers about service outages, installation visits, delivery of subscriptions and answers to their questions.',
    samples: [
      '[Organization]: Service in your area is down. Our technicians expect it back by 6:00 PM. Reply STOP to opt out.',
      '[Organization]: Your installation is set for Thursday between 8:00 AM and noon. Reply to change it. Reply STOP to opt out.',
    ],
  },
  CONSTRUCTION: {
    description:
      '[Organization] texts crews, subcontractors and clients about job sites, start times, weather delays, safety notices and service visits.',
    samples: [
      '[Organization]: The Elm Street site is closed today because of high wind. Report to the yard at 7:00 AM. Reply STOP to opt out.',
      '[Organization]: Our plumber will be at your address tomorrow between 1:00 and 3:00 PM. Reply STOP to opt out.',
    ],
  },
  EDUCATION: {
    description:
      '[Organization] texts parents, students and staff about closings, delays, attendance, events, deadlines and emergencies at school.',
    samples: [
      '[Organization]: Schools open two hours late tomorrow because of ice. Buses run two hours late. Reply STOP to opt out.',
      '[Organization]: Your student was marked absent today. Please call the office or reply with the reason. Reply STOP to opt out.',
      '[Organization]: Parent conferences are Thursday from 4:00 to 7:00 PM in the library. Reply STOP to opt out.',
    ],
  },
  ENERGY: {
    description:
      '[Organization] texts customers and field staff about outages, planned maintenance, meter readings and service appointments.',
    samples: [
      '[Organization]: Power is out in your area. Crews expect to restore it by 9:30 PM. Reply STOP to opt out.',
      '[Organization]: Planned maintenance on your line is Wednesday from 9:00 AM to 11:00 AM. Reply STOP to opt out.',
    ],
  },
  ENTERTAINMENT: {
    description:
      '[Organization] texts ticket holders, members, players and volunteers about schedules, changes, entry times and cancellations.',
    samples: [
      '[Organization]: Doors for tonight open at 6:30 PM. Please use the east entrance. Reply STOP to opt out.',
      "[Organization]: Saturday's game is moved to field 3 at 11:00 AM. Reply STOP to opt out.",
    ],
  },
  FINANCIAL: {
    description:
      '[Organization] texts customers and members about appointments, documents that are due, branch hours and the state of their requests.',
    samples: [
      '[Organization]: Your documents are ready to sign at the Main Street branch. Reply STOP to opt out.',
      '[Organization]: This is a reminder of your appointment with your advisor on Monday at 2:00 PM. Reply STOP to opt out.',
    ],
  },
  GAMBLING: {
    description:
      '[Organization] texts registered adult members and staff about opening hours, event schedules, account notices and work shifts.',
    samples: [
      '[Organization]: The hall is closed this Sunday for maintenance and opens again Monday at 10:00 AM. Reply STOP to opt out.',
      '[Organization]: Your membership card is ready at the front desk. Please bring an ID. Reply STOP to opt out.',
    ],
  },
  GOVERNMENT: {
    description:
      '[Organization] texts residents and employees about emergencies, road closures, public meetings, collections and city services.',
    samples: [
      '[Organization]: Boil water notice for the Oak Hill area until further notice. Reply STOP to opt out.',
      '[Organization]: Trash collection is one day later this week because of the holiday. Reply STOP to opt out.',
      '[Organization]: The council meets Tuesday at 6:00 PM at City Hall. Reply STOP to opt out.',
    ],
  },
  HEALTHCARE: {
    description:
      '[Organization] texts patients and staff about appointments, office hours, instructions before visits and open shifts, without medical details.',
    samples: [
      '[Organization]: You have an appointment on Tuesday at 9:15 AM. Reply YES to confirm or call us to change it. Reply STOP to opt out.',
      '[Organization]: An RN shift is open tonight from 7:00 PM. Reply if you can take it. Reply STOP to opt out.',
    ],
  },
  HOSPITALITY: {
    description:
      '[Organization] texts guests and staff about reservations, arrival times, changes to their stay and work schedules.',
    samples: [
      '[Organization]: Your room is ready from 3:00 PM today. Reply here with any questions. Reply STOP to opt out.',
      '[Organization]: Your table for four is confirmed for Friday at 7:00 PM. Reply STOP to opt out.',
    ],
  },
  HUMAN_RESOURCES: {
    description:
      '[Organization] texts applicants and employees about interviews, assignments, open shifts, start times and paperwork.',
    samples: [
      '[Organization]: Your interview is Wednesday at 10:30 AM. Reply YES to confirm. Reply STOP to opt out.',
      '[Organization]: A warehouse shift is open Saturday 6:00 AM to 2:00 PM. Reply if you want it. Reply STOP to opt out.',
    ],
  },
  INSURANCE: {
    description:
      '[Organization] texts policyholders about claims, appointments with adjusters, documents that are missing and office hours.',
    samples: [
      '[Organization]: Your adjuster will visit Thursday between 9:00 and 11:00 AM. Reply STOP to opt out.',
      '[Organization]: We need one more document for your claim. Please call us or reply here. Reply STOP to opt out.',
    ],
  },
  LEGAL: {
    description:
      '[Organization] texts clients about appointments, court dates, documents to sign and office hours, without details of their case.',
    samples: [
      '[Organization]: Your court date is March 4 at 9:00 AM. Please arrive 30 minutes early. Reply STOP to opt out.',
      '[Organization]: Your documents are ready to sign at our office. Reply STOP to opt out.',
    ],
  },
  MANUFACTURING: {
    description:
      '[Organization] texts employees and customers about shifts, plant closings, safety notices and orders that are ready.',
    samples: [
      '[Organization]: Second shift is canceled today because of the power outage. Reply STOP to opt out.',
      '[Organization]: Your order is ready for pickup at dock 4 until 5:00 PM. Reply STOP to opt out.',
    ],
  },
  NGO: {
    description:
      '[Organization] texts members, volunteers and people we serve about events, schedules, needs for help and changes of plan.',
    samples: [
      '[Organization]: Volunteers meet Saturday at 8:30 AM at the food bank. Reply YES if you are coming. Reply STOP to opt out.',
      '[Organization]: The pantry is open today from 1:00 to 5:00 PM. Reply STOP to opt out.',
      "[Organization]: Sunday's service is at 10:00 AM in the park. Bring a chair. Reply STOP to opt out.",
    ],
  },
  POLITICAL: {
    description:
      '[Organization] texts members and volunteers who signed up about meetings, polling places, voting hours and volunteer shifts.',
    samples: [
      '[Organization]: Polls are open today from 7:00 AM to 7:00 PM. Reply if you need to find your polling place. Reply STOP to opt out.',
      '[Organization]: Our meeting is Thursday at 6:30 PM at the library. Reply STOP to opt out.',
    ],
  },
  POSTAL: {
    description:
      '[Organization] texts customers and drivers about deliveries, pickups, delays and routes they asked to hear about.',
    samples: [
      '[Organization]: Your package arrives today between 2:00 and 4:00 PM. Reply STOP to opt out.',
      '[Organization]: We could not deliver today. Reply with a day that suits you. Reply STOP to opt out.',
    ],
  },
  PROFESSIONAL: {
    description:
      '[Organization] texts clients and staff about appointments, deadlines, documents and answers to their questions.',
    samples: [
      '[Organization]: Please send us your tax papers by April 1 so that we can file in time. Reply STOP to opt out.',
      '[Organization]: Your appointment is confirmed for Monday at 11:00 AM. Reply STOP to opt out.',
    ],
  },
  REAL_ESTATE: {
    description:
      '[Organization] texts tenants, owners and buyers about showings, maintenance, building notices and appointments.',
    samples: [
      '[Organization]: Water is off in building B today from 1:00 to 3:00 PM. Reply STOP to opt out.',
      '[Organization]: Your showing is confirmed for Saturday at 2:00 PM. Reply STOP to opt out.',
    ],
  },
  RETAIL: {
    description:
      '[Organization] texts customers and staff about orders that are ready, deliveries, store hours and work schedules.',
    samples: [
      '[Organization]: Your order is ready for pickup at the service desk. Reply STOP to opt out.',
      '[Organization]: Our store closes at 4:00 PM today because of the storm. Reply STOP to opt out.',
    ],
  },
  TECHNOLOGY: {
    description:
      '[Organization] texts customers and staff about outages, maintenance, support requests and appointments.',
    samples: [
      '[Organization]: Maintenance is planned for Sunday from 1:00 to 3:00 AM. The service is not available then. Reply STOP to opt out.',
      '[Organization]: Your support request was solved. Reply here if the problem comes back. Reply STOP to opt out.',
    ],
  },
  TRANSPORTATION: {
    description:
      '[Organization] texts riders, drivers and customers about routes, delays, pickups, loads and schedules.',
    samples: [
      '[Organization]: Route 12 runs 20 minutes late this morning because of roadwork. Reply STOP to opt out.',
      '[Organization]: Your pickup is confirmed for 8:15 AM tomorrow. Reply STOP to opt out.',
    ],
  },
};
