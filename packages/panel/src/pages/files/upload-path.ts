/** Request paths with the content of files. They have a longer timeout than other forms. */
export const FILES_UPLOAD_PATH = /^(?:\/as\/\d+)?\/files\/(?:upload\/|uploads\/)/;
