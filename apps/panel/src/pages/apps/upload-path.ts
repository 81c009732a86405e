/** Where archives are sent to, as a request names it: what comes there may take longer than any other form. */
export const UPLOAD_PATH = /^\/apps\/\d+\/deploy-zip\/?(?:\?|$)/;
