/** The sandbox's way to make certificates, for tests of other areas: those don't import the sandbox. */
export { makeCertificate } from '../sandbox/certificate.ts';
