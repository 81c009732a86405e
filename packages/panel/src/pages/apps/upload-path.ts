/** Request path of archive uploads. They have a longer timeout than other forms. */
export const UPLOAD_PATH = /^\/apps\/\d+\/deploy-zip\/?(?:\?|$)/;
