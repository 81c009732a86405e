<?php
// The first page of a new site. Replace or delete this file: it is yours.
$name = htmlspecialchars($_SERVER['SERVER_NAME'] ?? '', ENT_QUOTES, 'UTF-8');
?>
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title><?= $name ?></title>
<style>
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #f6f5f1; color: #24312b;
    font: 18px/1.5 system-ui, sans-serif; }
  main { padding: 2rem; max-width: 32rem; }
  h1 { margin: 0 0 .5rem; font-size: 2rem; font-weight: 650; overflow-wrap: anywhere; }
  p { margin: 0; color: #56645d; }
  @media (prefers-color-scheme: dark) { body { background: #17201c; color: #e8ede9; } p { color: #9fb0a7; } }
</style>
</head>
<body>
<main>
<h1><?= $name ?></h1>
<p>This site is ready. Upload your files to replace this page.</p>
</main>
</body>
</html>
