-- What the handler writes to: make it with your migrations, in the database of the inbox.
CREATE TABLE IF NOT EXISTS points (transaction_id TEXT PRIMARY KEY, amount NUMERIC NOT NULL);
