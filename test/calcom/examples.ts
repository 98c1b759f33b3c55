/** Deliveries as Cal.com sends them, minified. Nobody in them exists. */

/** Signs all of them. */
export const exampleSecret = 'cal-test-secret'

export interface Example {
  says: string
  body: string
  bytes: number
  signature: string
}

export const examples = {
  E1: {
    says: 'created, auto-confirmed',
    body: '{"triggerEvent":"BOOKING_CREATED","createdAt":"2026-01-15T09:00:00.538Z","payload":{"bookerUrl":"https://app.cal.com","type":"intro","title":"Intro between Olga Host and Ann Lee","startTime":"2026-02-03T14:00:00Z","endTime":"2026-02-03T14:30:00Z","additionalNotes":"","eventTypeId":123,"seatsPerTimeSlot":null,"disableCancelling":false,"disableRescheduling":false,"organizer":{"id":11,"name":"Olga Host","email":"olga@example.com","username":"olga","timeZone":"Europe/Berlin","language":{"locale":"en"},"timeFormat":"h:mma","utcOffset":60},"attendees":[{"email":"ann@example.com","name":"Ann Lee","firstName":"Ann","lastName":"Lee","timeZone":"America/New_York","language":{"locale":"en"},"utcOffset":-300},{"email":"bo@example.com","name":"","firstName":"","lastName":"","timeZone":"America/New_York","language":{"locale":"en"},"utcOffset":-300}],"responses":{"name":{"label":"your_name","value":"Ann Lee","isHidden":false},"email":{"label":"email_address","value":"ann@example.com","isHidden":false},"notes":{"label":"additional_notes","isHidden":false}},"userFieldsResponses":{},"location":"integrations:daily","destinationCalendar":null,"iCalUID":"bK3mPq7RtVwXyZ2aBcDeFg@Cal.com","iCalSequence":0,"requiresConfirmation":false,"uid":"bK3mPq7RtVwXyZ2aBcDeFg","eventTitle":"Intro","price":0,"currency":"usd","length":30,"bookingId":9001,"metadata":{"videoCallUrl":"https://app.cal.com/video/bK3mPq7RtVwXyZ2aBcDeFg"},"status":"ACCEPTED"}}',
    bytes: 1438,
    signature: 'f6d6759b6f1c395b1aa72246d0c882425d809ab9c5b28f2ada226e5076e9487d',
  },
  E2: {
    says: 'rescheduled: new uid, new bookingId, iCalUID absent',
    body: '{"triggerEvent":"BOOKING_RESCHEDULED","createdAt":"2026-01-16T10:00:00.102Z","payload":{"bookerUrl":"https://app.cal.com","type":"intro","title":"Intro between Olga Host and Ann Lee","startTime":"2026-02-05T15:00:00Z","endTime":"2026-02-05T15:30:00Z","additionalNotes":"","eventTypeId":123,"seatsPerTimeSlot":null,"organizer":{"id":11,"name":"Olga Host","email":"olga@example.com","username":"olga","timeZone":"Europe/Berlin","language":{"locale":"en"},"timeFormat":"h:mma","utcOffset":60},"attendees":[{"email":"ann@example.com","name":"Ann Lee","firstName":"Ann","lastName":"Lee","timeZone":"America/New_York","language":{"locale":"en"},"utcOffset":-300}],"responses":{"name":{"label":"your_name","value":"Ann Lee","isHidden":false},"email":{"label":"email_address","value":"ann@example.com","isHidden":false},"notes":{"label":"additional_notes","isHidden":false}},"location":"integrations:daily","destinationCalendar":null,"iCalSequence":1,"requiresConfirmation":false,"uid":"cL4nQr8SuWxYz3bCdEfGhJ","eventTitle":"Intro","price":0,"currency":"usd","length":30,"bookingId":9002,"metadata":{},"status":"ACCEPTED","rescheduleId":9001,"rescheduleUid":"bK3mPq7RtVwXyZ2aBcDeFg","rescheduleStartTime":"2026-02-03T14:00:00Z","rescheduleEndTime":"2026-02-03T14:30:00Z","rescheduledBy":"ann@example.com"}}',
    bytes: 1298,
    signature: '504e8f109e8cd44d724fa1f0a721759c29bf34abc8a17de5ff10b33ec215c6a0',
  },
  E3: {
    says: 'cancelled: offset times, nulls, no metadata',
    body: '{"triggerEvent":"BOOKING_CANCELLED","createdAt":"2026-01-17T08:30:00.001Z","payload":{"bookerUrl":"https://app.cal.com","title":"Intro between Olga Host and Ann Lee","length":30,"type":"intro","additionalNotes":"","eventTypeId":123,"responses":{"name":{"label":"name","value":"Ann Lee"},"email":{"label":"email","value":"ann@example.com"}},"startTime":"2026-02-05T15:00:00+00:00","endTime":"2026-02-05T15:30:00+00:00","organizer":{"id":11,"name":"Olga Host","email":"olga@example.com","username":"olga","timeZone":"Europe/Berlin","language":{"locale":"en"},"timeFormat":"h:mma","utcOffset":60},"attendees":[{"name":"Ann Lee","email":"ann@example.com","timeZone":"America/New_York","phoneNumber":null,"language":{"locale":"en"},"utcOffset":-300}],"uid":"cL4nQr8SuWxYz3bCdEfGhJ","bookingId":9002,"location":"integrations:daily","destinationCalendar":[],"cancellationReason":"cannot attend","seatsPerTimeSlot":null,"iCalUID":"bK3mPq7RtVwXyZ2aBcDeFg@Cal.com","iCalSequence":2,"eventTitle":"Intro","eventDescription":null,"requiresConfirmation":null,"price":null,"currency":"usd","status":"CANCELLED","cancelledBy":"ann@example.com","requestReschedule":false}}',
    bytes: 1155,
    signature: '95533f4fa56aae6e65e659a119b6d39ab130e4417775bd3d7d443859caf1752f',
  },
  E4: {
    says: 'cancelled because the host asked for another time',
    body: '{"triggerEvent":"BOOKING_CANCELLED","createdAt":"2026-01-16T08:00:00.900Z","payload":{"bookerUrl":"https://app.cal.com","title":"Intro between Olga Host and Ann Lee","type":"intro","startTime":"2026-02-03T15:00:00+01:00","endTime":"2026-02-03T15:30:00+01:00","organizer":{"id":11,"name":"Olga Host","email":"olga@example.com","username":"olga","timeZone":"Europe/Berlin","language":{"locale":"en"},"timeFormat":"h:mma","utcOffset":60},"attendees":[{"name":"Ann Lee","email":"ann@example.com","timeZone":"America/New_York","phoneNumber":null,"language":{"locale":"en"},"utcOffset":-300}],"uid":"bK3mPq7RtVwXyZ2aBcDeFg","bookingId":9001,"eventTypeId":123,"length":30,"location":"integrations:daily","cancellationReason":"Please reschedule. I am travelling","iCalSequence":1,"eventTitle":"Intro","status":"CANCELLED","requestReschedule":true}}',
    bytes: 840,
    signature: '04f9f04d9d9458c338ad314f36d08c5adbf45f7a1255f34f85fbd04d3ad76eaf',
  },
  E5: {
    says: 'requested',
    body: '{"triggerEvent":"BOOKING_REQUESTED","createdAt":"2026-01-15T11:00:00.000Z","payload":{"bookerUrl":"https://app.cal.com","type":"intro","title":"Intro between Olga Host and Ann Lee","startTime":"2026-02-03T14:00:00Z","endTime":"2026-02-03T14:30:00Z","eventTypeId":127,"seatsPerTimeSlot":null,"organizer":{"id":11,"name":"Olga Host","email":"olga@example.com","username":"olga","timeZone":"Europe/Berlin","language":{"locale":"en"},"timeFormat":"h:mma","utcOffset":60},"attendees":[{"email":"ann@example.com","name":"Ann Lee","firstName":"Ann","lastName":"Lee","timeZone":"America/New_York","language":{"locale":"en"},"utcOffset":-300}],"responses":{"name":{"label":"your_name","value":"Ann Lee","isHidden":false},"email":{"label":"email_address","value":"ann@example.com","isHidden":false},"notes":{"label":"additional_notes","isHidden":false}},"location":"integrations:daily","iCalUID":"dM5pRs9TvXyZ4cDeFgHjKk@Cal.com","iCalSequence":0,"requiresConfirmation":true,"uid":"dM5pRs9TvXyZ4cDeFgHjKk","eventTitle":"Intro","price":0,"currency":"usd","length":30,"bookingId":9200,"metadata":{},"status":"PENDING"}}',
    bytes: 1106,
    signature: '9a7362d052dc7f241ab79c73feeb71ba9bf83c6939d1bd3e6238cf96b3730914',
  },
  E6: {
    says: 'the same booking accepted: .000Z times, no iCalUID',
    body: '{"triggerEvent":"BOOKING_CREATED","createdAt":"2026-01-15T12:00:00.000Z","payload":{"type":"intro","title":"Intro between Olga Host and Ann Lee","bookerUrl":"https://app.cal.com","responses":{"name":{"label":"your_name","value":"Ann Lee","isHidden":false},"email":{"label":"email_address","value":"ann@example.com","isHidden":false},"notes":{"label":"additional_notes","isHidden":false}},"startTime":"2026-02-03T14:00:00.000Z","endTime":"2026-02-03T14:30:00.000Z","organizer":{"id":11,"name":"Olga Host","email":"olga@example.com","username":"olga","timeZone":"Europe/Berlin","language":{"locale":"en"},"timeFormat":"h:mma","utcOffset":60},"attendees":[{"name":"Ann Lee","email":"ann@example.com","timeZone":"America/New_York","phoneNumber":null,"language":{"locale":"en"},"utcOffset":-300}],"location":"integrations:daily","uid":"dM5pRs9TvXyZ4cDeFgHjKk","destinationCalendar":[],"requiresConfirmation":true,"eventTypeId":127,"seatsPerTimeSlot":null,"eventTitle":"Intro","price":0,"currency":"usd","length":30,"bookingId":9200,"status":"ACCEPTED","metadata":{"videoCallUrl":"https://app.cal.com/video/dM5pRs9TvXyZ4cDeFgHjKk"}}}',
    bytes: 1127,
    signature: 'efec4f18131de4b935ad631c5008a16bc905a0ecbc9a464d54e131121c504a0f',
  },
  E7: {
    says: 'second seat: the first seat’s uid, bookingId, iCalSequence',
    body: '{"triggerEvent":"BOOKING_CREATED","createdAt":"2026-01-15T09:20:00.000Z","payload":{"bookerUrl":"https://app.cal.com","type":"group","title":"Group session","startTime":"2026-02-04T14:00:00Z","endTime":"2026-02-04T14:30:00Z","eventTypeId":124,"seatsPerTimeSlot":10,"seatsShowAttendees":true,"organizer":{"id":11,"name":"Olga Host","email":"olga@example.com","username":"olga","timeZone":"Europe/Berlin","language":{"locale":"en"},"timeFormat":"h:mma","utcOffset":60},"attendees":[{"email":"cy@example.com","name":"Cy Ng","firstName":"","lastName":"","timeZone":"America/New_York","language":{"locale":"en"},"utcOffset":-300}],"responses":{"name":{"label":"your_name","value":"Cy Ng","isHidden":false},"email":{"label":"email_address","value":"cy@example.com","isHidden":false},"notes":{"label":"additional_notes","isHidden":false}},"location":"integrations:daily","iCalUID":"eN6qStAUwYzA5dEfGhJkLm@Cal.com","iCalSequence":0,"requiresConfirmation":false,"uid":"eN6qStAUwYzA5dEfGhJkLm","attendeeSeatId":"22222222-2222-4222-8222-222222222222","eventTitle":"Group session","price":0,"currency":"usd","length":30,"bookingId":9100,"metadata":{},"status":"ACCEPTED"}}',
    bytes: 1160,
    signature: '68b02fc5be9431b841675ad0f16d6bda0ff570fa031f4b329b94f326e9820609',
  },
  E8: {
    says: 'that seat cancelled: no seat id, no cancelledBy; the meeting goes on',
    body: '{"triggerEvent":"BOOKING_CANCELLED","createdAt":"2026-01-18T07:00:00.000Z","payload":{"bookerUrl":"https://app.cal.com","title":"Group session","length":30,"type":"group","eventTypeId":124,"startTime":"2026-02-04T14:00:00+00:00","endTime":"2026-02-04T14:30:00+00:00","organizer":{"id":11,"name":"Olga Host","email":"olga@example.com","username":"olga","timeZone":"Europe/Berlin","language":{"locale":"en"},"timeFormat":"h:mma","utcOffset":60},"attendees":[{"id":702,"email":"cy@example.com","name":"Cy Ng","timeZone":"America/New_York","phoneNumber":null,"locale":"en","bookingId":9100,"noShow":false,"language":{"locale":"en"},"utcOffset":-300}],"uid":"eN6qStAUwYzA5dEfGhJkLm","bookingId":9100,"location":"integrations:daily","seatsPerTimeSlot":10,"seatsShowAttendees":true,"iCalUID":"eN6qStAUwYzA5dEfGhJkLm@Cal.com","iCalSequence":1,"eventTitle":"Group session","price":null,"currency":"usd","status":"CANCELLED","requestReschedule":false}}',
    bytes: 942,
    signature: '9cf46c3cada2135dfc9093fc2a0f4ba6d58d36cd558ab87f0d7c7544f1dbd49f',
  },
  E9: {
    says: 'no-show',
    body: '{"triggerEvent":"BOOKING_NO_SHOW_UPDATED","createdAt":"2026-02-05T16:00:00.774Z","payload":{"message":"ann@example.com marked as no-show","attendees":[{"email":"ann@example.com","noShow":true}],"bookingUid":"cL4nQr8SuWxYz3bCdEfGhJ","bookingId":9002}}',
    bytes: 250,
    signature: '99995c62ee61b347cd36f5d77c598d81cebab8ef3b1c5e81b4c1fc535f8a8201',
  },
  E10: {
    says: 'meeting ended: flat, createdAt is the booking’s own',
    body: '{"triggerEvent":"MEETING_ENDED","id":9002,"uid":"cL4nQr8SuWxYz3bCdEfGhJ","idempotencyKey":"44444444-4444-5444-8444-444444444444","userId":11,"userPrimaryEmail":"olga@example.com","eventTypeId":123,"title":"Intro between Olga Host and Ann Lee","description":"","responses":{"name":"Ann Lee","email":"ann@example.com"},"startTime":"2026-02-05T15:00:00.000Z","endTime":"2026-02-05T15:30:00.000Z","location":"integrations:daily","createdAt":"2026-01-16T10:00:00.000Z","updatedAt":null,"status":"ACCEPTED","paid":false,"rescheduled":null,"fromReschedule":"bK3mPq7RtVwXyZ2aBcDeFg","recurringEventId":null,"metadata":{},"iCalSequence":1,"noShowHost":false,"user":{"email":"olga@example.com","name":"Olga Host","timeZone":"Europe/Berlin","username":"olga"},"attendees":[{"id":701,"email":"ann@example.com","name":"Ann Lee","timeZone":"America/New_York","phoneNumber":null,"locale":"en","bookingId":9002,"noShow":false}],"payment":[],"references":[]}',
    bytes: 941,
    signature: '4d40f308e90f24444e88db31345bd08b6c36e51b15878c6af28f2a38b6c3491b',
  },
  E11: {
    says: 'ping',
    body: '{"triggerEvent":"PING","createdAt":"2026-01-15T09:00:00.000Z","payload":{"type":"Test","title":"Test trigger event","startTime":"2026-01-15T09:00:00.000Z","endTime":"2026-01-15T09:00:00.000Z","attendees":[{"email":"jdoe@example.com","name":"John Doe","timeZone":"Europe/London","language":{"locale":"en"},"utcOffset":0}],"organizer":{"name":"Cal","email":"no-reply@cal.com","timeZone":"Europe/London","language":{"locale":"en"},"utcOffset":0}}}',
    bytes: 444,
    signature: '1dfe754b9410e8e2f03120d75e6bd62bf7f49a3180e6f59c888cc80be34669df',
  },
  template: {
    says: 'three fields, and text beyond ASCII',
    body: '{"triggerEvent":"BOOKING_CREATED","createdAt":"2026-01-15T09:00:00.000Z","payload":{"uid":"bFJeNb2uX8ANpT3JL5EfXw","title":"Zoë 👩‍🔬 & <Bob>"}}',
    bytes: 151,
    signature: '58fc816d2887d0e69f01151441c85e5c5de45d5034faf3bf11c35effaeec9375',
  },
  broken: {
    says: 'what is sent in place of a template that rendered to no JSON',
    body: 'false',
    bytes: 5,
    signature: 'f921f3c3a4cee5bc6e23964a32dcfe357bed998575d3fd226f0345bd319ddb81',
  },
  form: {
    says: 'a template that is no JSON',
    body: 'content=New booking&who=O&#x27;Brien',
    bytes: 36,
    signature: '2b96f224c57ade9db5fde6990bdf1c4583fbeb0d4b16316b7fec20858674497d',
  },
} satisfies Record<string, Example>
