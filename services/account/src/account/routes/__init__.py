"""What can be asked at the inner door, a module for each thing; paths are below `account.door.PREFIX`."""
