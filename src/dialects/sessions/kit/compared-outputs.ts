/** Programs shorten long outputs for the model, so only shorter ones are compared with what they record. In UTF-16 units. */
export const LONGEST_COMPARED = 2000;
