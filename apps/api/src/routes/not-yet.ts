import { HttpError } from '../http/error-response.ts';

/** Stands where an endpoint is in the contract and its code is not written. */
export const notYet = {
  answer: async (): Promise<never> => {
    throw new HttpError(501, 'This endpoint is not there yet.');
  },
};
