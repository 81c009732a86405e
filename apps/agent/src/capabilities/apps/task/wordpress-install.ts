/**
 * Fills the database through WordPress's own functions. PHP runs it in WordPress's folder. It sends no mail and
 * connects to no other server. A database that already has users, from an earlier attempt or long ago, is not changed.
 */
export const installScript = `
$job = json_decode(getenv('WORDPRESS_INSTALL'), true);
putenv('WORDPRESS_INSTALL');
foreach (['mysqli', 'json', 'hash'] as $extension) {
    if (!extension_loaded($extension)) {
        fwrite(STDERR, "PHP has no extension $extension.\\n");
        exit(1);
    }
}
$_SERVER = ['SERVER_NAME' => $job['host'], 'HTTP_HOST' => $job['host'], 'SERVER_PROTOCOL' => 'HTTP/1.1',
    'REQUEST_METHOD' => 'GET', 'REQUEST_URI' => '/', 'PHP_SELF' => '/index.php', 'SCRIPT_NAME' => '/index.php',
    'REMOTE_ADDR' => '127.0.0.1', 'HTTP_USER_AGENT' => ''] + $_SERVER;
$database = json_decode(file_get_contents(dirname(getcwd(), 2) . '/database.json'), true);
try {
    mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
    (new mysqli($database['DB_HOST'], $database['DB_USER'], $database['DB_PASSWORD'], $database['DB_NAME']))->close();
} catch (mysqli_sql_exception $error) {
    fwrite(STDERR, $error->getMessage() . "\\n");
    exit(3);
}
mysqli_report(MYSQLI_REPORT_OFF);
define('WP_INSTALLING', true);
function wp_new_blog_notification() {}
$installed = false;
register_shutdown_function(function () use (&$installed) {
    if (!$installed) exit(1);
});
require './wp-config.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
add_filter('pre_wp_mail', '__return_true');
add_filter('pre_http_request', fn () => new WP_Error('off', 'Nothing is asked while WordPress is installed.'));
$wpdb->suppress_errors();
$users = $wpdb->get_var("SELECT COUNT(*) FROM $wpdb->users");
$wpdb->suppress_errors(false);
if ((int) $users === 0) {
    wp_install($job['title'], $job['user'], $job['email'], true, '', wp_slash($job['password']));
}
if ((int) $wpdb->get_var("SELECT COUNT(*) FROM $wpdb->users") === 0) {
    fwrite(STDERR, "WordPress made no user.\\n");
    exit(1);
}
$installed = true;
echo "WordPress is installed.\\n";
`;
