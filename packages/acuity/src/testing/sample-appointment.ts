import type { AcuityAppointment } from '../appointment.js'

/** An appointment as `GET /appointments/:id` answers it, all fields filled with invented data; `changes` replace some. */
export function sampleAppointment(
  changes: Partial<AcuityAppointment> & { id: number },
): AcuityAppointment & { id: number } {
  const page = 'https://app.acuityscheduling.com/schedule.php?owner=1000001&action=appt&id%5B%5D='
  // What the adapter never reads.
  const more = {
    date: 'March 10, 2027',
    time: '10:15am',
    endTime: '11:15am',
    dateCreated: 'March 1, 2027',
    category: '',
    confirmationPagePaymentLink: `${page}EXAMPLE-PAY`,
    calendarTimezone: 'America/Los_Angeles',
    formsText: 'Name: Ada Lindqvist\n\nIntake\n============\nFirst visit?: yes\n',
    isVerified: false,
    scheduledBy: null,
  }
  return {
    ...more,
    firstName: 'Ada',
    lastName: 'Lindqvist',
    phone: '+15555550123',
    email: 'ada@example.com',
    datetimeCreated: '2027-03-01T08:04:05-0600',
    datetime: '2027-03-10T10:15:00-0800',
    price: '80.00',
    priceSold: '80.00',
    paid: 'no',
    amountPaid: '0.00',
    type: 'Consultation',
    appointmentTypeID: 70002,
    classID: null,
    addonIDs: [],
    duration: '60',
    calendar: 'Grace Okafor',
    calendarID: 40001,
    certificate: null,
    confirmationPage: `${page}EXAMPLE`,
    location: '12 Example Street',
    notes: '',
    timezone: 'Europe/Berlin',
    canceled: false,
    noShow: false,
    canClientCancel: true,
    canClientReschedule: true,
    labels: null,
    forms: [{ id: 300, name: 'Intake', values: [{ fieldID: 301, name: 'First visit?', value: 'yes' }] }],
    ...changes,
  }
}
