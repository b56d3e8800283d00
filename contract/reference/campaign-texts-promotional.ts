import type { CampaignTexts } from './campaign-details.ts';

/** Offers for people who agreed to get offers. */
export const promotionalCampaigns: CampaignTexts = {
  Default: {
    description:
      '[Organization] sends offers, news of products and services, invitations and reminders to people who agreed to receive marketing texts.',
    samples: [
      '[Organization]: This week only, new customers save 15%. Show this text at the desk. Reply STOP to opt out.',
      '[Organization]: You are invited to our open house on Saturday from 10:00 AM to 2:00 PM. Reply STOP to opt out.',
      '[Organization]: Registration for our spring program is open. Reply INFO to learn more. Reply STOP to opt out.',
    ],
  },
  AGRICULTURE: {
    description:
      '[Organization] texts growers and customers who signed up about seasonal offers, markets, new stock and farm events.',
    samples: [
      '[Organization]: Fresh strawberries are here. Members get a free pint with any purchase this Saturday. Reply STOP to opt out.',
      '[Organization]: Order seed by Friday and save 10% on your spring delivery. Reply STOP to opt out.',
    ],
  },
  COMMUNICATION: {
    description:
      '[Organization] texts customers who signed up about new plans, subscription offers, upgrades and events.',
    samples: [
      '[Organization]: Upgrade to fiber this month and your installation is free. Reply STOP to opt out.',
      '[Organization]: Subscribers save 20% on a yearly plan until Sunday. Reply STOP to opt out.',
    ],
  },
  CONSTRUCTION: {
    description:
      '[Organization] texts customers who signed up about seasonal service offers, free estimates and new services.',
    samples: [
      '[Organization]: Book a furnace check before November 1 and save $25. Reply STOP to opt out.',
      '[Organization]: Thinking of a new roof? Reply to get a free estimate this week. Reply STOP to opt out.',
    ],
  },
  EDUCATION: {
    description:
      '[Organization] texts families and students who signed up about enrollment, programs, camps, fundraisers and events.',
    samples: [
      '[Organization]: Summer camp registration is open. Sign up by May 1 and save $40. Reply STOP to opt out.',
      '[Organization]: Support the band: our bake sale is Friday at 3:00 PM in the gym. Reply STOP to opt out.',
    ],
  },
  ENERGY: {
    description:
      '[Organization] texts customers who signed up about savings programs, rebates, new plans and efficiency offers.',
    samples: [
      '[Organization]: Get a $50 rebate on a smart thermostat until June 30. Reply STOP to opt out.',
      '[Organization]: Ask about our fixed winter rate before it ends Friday. Reply STOP to opt out.',
    ],
  },
  ENTERTAINMENT: {
    description:
      '[Organization] texts fans and members who signed up about tickets, new shows, offers and special events.',
    samples: [
      '[Organization]: Tickets for the spring show are on sale now, members save 10%. Reply STOP to opt out.',
      '[Organization]: Bring a friend for free this Thursday night. Show this text at the door. Reply STOP to opt out.',
    ],
  },
  FINANCIAL: {
    description:
      '[Organization] texts customers and members who signed up about seminars, new services and account offers.',
    samples: [
      '[Organization]: Join our free workshop for first-time home buyers on Tuesday at 6:00 PM. Reply STOP to opt out.',
      '[Organization]: Open a student account this month with no monthly fee. Reply STOP to opt out.',
    ],
  },
  GAMBLING: {
    description:
      '[Organization] texts adult members who signed up about events, member evenings and offers at our location.',
    samples: [
      '[Organization]: Members eat for half price this Wednesday evening. 21 and over only. Reply STOP to opt out.',
      '[Organization]: Our charity bingo night is Friday at 7:00 PM. Adults only. Reply STOP to opt out.',
    ],
  },
  GOVERNMENT: {
    description:
      '[Organization] texts residents who signed up about recreation programs, community events, classes and volunteer days.',
    samples: [
      '[Organization]: Swim lessons are open for registration, residents save $15 until Friday. Reply STOP to opt out.',
      '[Organization]: Join the spring festival downtown on Saturday from 10:00 AM. Reply STOP to opt out.',
    ],
  },
  HEALTHCARE: {
    description:
      '[Organization] texts patients who signed up about wellness programs, clinics, classes and new services.',
    samples: [
      '[Organization]: Flu shots are available without appointment this Saturday from 9:00 AM. Reply STOP to opt out.',
      '[Organization]: New patients get a free eye check in October. Reply to book. Reply STOP to opt out.',
    ],
  },
  HOSPITALITY: {
    description:
      '[Organization] texts guests who signed up about seasonal rates, menus, events and offers for members.',
    samples: [
      '[Organization]: Stay two nights in February and the third is free. Reply STOP to opt out.',
      '[Organization]: Kids eat free every Tuesday this month. Reply STOP to opt out.',
    ],
  },
  HUMAN_RESOURCES: {
    description:
      '[Organization] texts job seekers who signed up about new openings, hiring events, referral bonuses and training.',
    samples: [
      '[Organization]: We are hiring drivers at $24 an hour. Reply YES to apply. Reply STOP to opt out.',
      '[Organization]: Meet ten employers at our job fair on Thursday at 1:00 PM. Reply STOP to opt out.',
    ],
  },
  INSURANCE: {
    description:
      '[Organization] texts customers who signed up about policy reviews, new coverage and ways to save.',
    samples: [
      '[Organization]: Bundle home and auto and ask what you can save. Reply to get a quote. Reply STOP to opt out.',
      '[Organization]: Enrollment ends December 15. Reply to meet with an agent. Reply STOP to opt out.',
    ],
  },
  LEGAL: {
    description:
      '[Organization] texts people who signed up about free consultations, seminars and new services of our office.',
    samples: [
      '[Organization]: Join our free seminar on wills and estates on Tuesday at 5:30 PM. Reply STOP to opt out.',
      '[Organization]: First consultations are free in March. Reply to book yours. Reply STOP to opt out.',
    ],
  },
  MANUFACTURING: {
    description:
      '[Organization] texts customers and dealers who signed up about new products, dealer offers and factory sales.',
    samples: [
      '[Organization]: The factory sale is this Saturday from 8:00 AM to noon. Reply STOP to opt out.',
      '[Organization]: Dealers save 12% on the new line until the end of the month. Reply STOP to opt out.',
    ],
  },
  NGO: {
    description:
      '[Organization] texts supporters who signed up about fundraisers, giving days, events and memberships.',
    samples: [
      '[Organization]: Today every gift is doubled. Reply GIVE to learn how to help. Reply STOP to opt out.',
      '[Organization]: Our benefit dinner is April 12. Reply to save your seats. Reply STOP to opt out.',
    ],
  },
  POLITICAL: {
    description:
      '[Organization] texts supporters who signed up about fundraisers, rallies, petitions and volunteer drives.',
    samples: [
      '[Organization]: Join us Saturday at 11:00 AM for a rally in Miller Park. Reply STOP to opt out.',
      '[Organization]: Can you knock on doors with us this weekend? Reply YES. Reply STOP to opt out.',
    ],
  },
  POSTAL: {
    description:
      '[Organization] texts customers who signed up about shipping offers, seasonal deadlines and new services.',
    samples: [
      '[Organization]: Ship two boxes this week and save $5 on the second. Reply STOP to opt out.',
      '[Organization]: Send gifts by December 16 to arrive in time, at our holiday rate. Reply STOP to opt out.',
    ],
  },
  PROFESSIONAL: {
    description:
      '[Organization] texts clients who signed up about new services, workshops, seasonal offers and referrals.',
    samples: [
      '[Organization]: Book your tax appointment before February 15 and save $30. Reply STOP to opt out.',
      '[Organization]: Refer a friend and you both get $20 off your next visit. Reply STOP to opt out.',
    ],
  },
  REAL_ESTATE: {
    description:
      '[Organization] texts people who signed up about new listings, open houses, rentals and move-in offers.',
    samples: [
      '[Organization]: Open house on Sunday from 1:00 to 4:00 PM at 12 Station Road. Reply STOP to opt out.',
      '[Organization]: Sign a lease in May and your first month is half price. Reply STOP to opt out.',
    ],
  },
  RETAIL: {
    description:
      '[Organization] texts customers who signed up about sales, new products, members’ offers and store events.',
    samples: [
      '[Organization]: Members save 20% in store this weekend. Show this text at checkout. Reply STOP to opt out.',
      '[Organization]: The fall collection is here. Come by for early access on Thursday. Reply STOP to opt out.',
    ],
  },
  TECHNOLOGY: {
    description:
      '[Organization] texts customers who signed up about new features, upgrade offers, webinars and events.',
    samples: [
      '[Organization]: See what is new in our webinar on Wednesday at noon. Reply to get the link. Reply STOP to opt out.',
      '[Organization]: Upgrade before Friday and get two months free. Reply STOP to opt out.',
    ],
  },
  TRANSPORTATION: {
    description:
      '[Organization] texts riders and customers who signed up about fares, new routes, passes and seasonal offers.',
    samples: [
      '[Organization]: Weekend passes are half price this month. Reply STOP to opt out.',
      '[Organization]: Our new airport route starts Monday. Ride free the first week. Reply STOP to opt out.',
    ],
  },
};
